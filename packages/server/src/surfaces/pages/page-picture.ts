import { pictureUrl } from "../../domain/identity/pictures/queries.ts";

/** The address of a person's picture for our pages, read with the session; undefined if they have none. */
export const pagePicture = (userId: string, sha256: string | null | undefined): string | undefined =>
  sha256 ? `/app${pictureUrl(userId, sha256)}` : undefined;
