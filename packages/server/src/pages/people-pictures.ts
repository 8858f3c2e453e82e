import { listPictures, pictureUrl } from "../resources/pictures/queries.ts";
import type { MemberVisit } from "./visit.ts";

/** Where our pages read somebody's picture, with the session; undefined for somebody who has none. */
export const pagePicture = (userId: string, sha256: string | null | undefined): string | undefined =>
  sha256 ? `/app${pictureUrl(userId, sha256)}` : undefined;

/** The same for everybody in the workspace, by their ids. */
export async function readPictures({ app, viewer }: MemberVisit): Promise<(userId: string) => string | undefined> {
  const pictures = await listPictures(app.database.read, viewer.workspace.id);
  return (userId) => pagePicture(userId, pictures.get(userId));
}
