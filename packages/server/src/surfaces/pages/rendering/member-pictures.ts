import type { Node } from "@svc/document/types";
import { type Html, trusted } from "@svc/web/shared/html";
import type { MemberVisit } from "../visit.ts";
import { picturePlace } from "./picture-place.ts";
import { showPictures } from "./shown-pictures.ts";

/** Shows the pictures of these blocks of a document in their rendered markup, on a page of the workspace. */
export async function memberPictures(
  { app, viewer }: MemberVisit,
  documentId: string,
  blocks: readonly Node[],
): Promise<(html: string | Html) => Html> {
  const place = await picturePlace(app, {
    workspaceId: viewer.workspace.id,
    blocks,
    path: `/documents/${documentId}`,
    fileUrl: (id) => `/files/${encodeURIComponent(id)}`,
  });
  return (html) => trusted(showPictures(typeof html === "string" ? html : html.text, place));
}
