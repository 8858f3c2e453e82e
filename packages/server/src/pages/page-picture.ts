import { pictureUrl } from "../resources/pictures/queries.ts";

/** Where our pages read somebody's picture, with the session; undefined for somebody who has none. */
export const pagePicture = (userId: string, sha256: string | null | undefined): string | undefined =>
  sha256 ? `/app${pictureUrl(userId, sha256)}` : undefined;
