import { listPictures } from "../../domain/identity/pictures/queries.ts";
import { pagePicture } from "./page-picture.ts";
import type { MemberVisit } from "./visit.ts";

/** The picture addresses of everybody in the workspace, by user id. */
export async function readPictures({ app, viewer }: MemberVisit): Promise<(userId: string) => string | undefined> {
  const pictures = await listPictures(app.database.read, viewer.workspace.id);
  return (userId) => pagePicture(userId, pictures.get(userId));
}
