import { renderBlock } from "@svc/document/html/render";
import { remoteAddress } from "@svc/web/shared/remote-address";
import { readBody } from "../../../bodies/load-body.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { mayDiscuss } from "../../../domain/library/knowledge-bases/may-discuss.ts";
import { answerRemotePicture, isProven } from "../rendering/remote-picture.ts";
import { remotePicturesIn } from "../rendering/shown-pictures.ts";
import { get, holderOf, idFrom, type MemberVisit, type Outcome } from "../visit.ts";

/**
 * Serves a remote picture of a document. Rendered pages prove that they contain its address. An editor may have
 * addresses that are not stored yet: callers who may write or suggest can load any, others only those of the body.
 */
async function showPicture(visit: MemberVisit): Promise<Outcome> {
  const { app, query, params, viewer } = visit;
  const id = idFrom(params.id, "document");
  const db = app.database.read;
  const { knowledge_base_id } = await getDocument(db, viewer.workspace.id, id);
  const address = remoteAddress(query.get("address") ?? "");
  if (address === undefined) return answerRemotePicture(app, "", false, false);
  const isWanted = app.config.remotePictures === "on" || query.get("load") === "1";
  const isAllowed =
    isWanted &&
    (isProven(app.secret, `/documents/${id}`, address, query.get("proof") ?? "") ||
      (await mayDiscuss(db, holderOf(visit), knowledge_base_id)) ||
      (await isInBody(visit, id, address)));
  return answerRemotePicture(app, address, isAllowed, true);
}

async function isInBody({ app, viewer }: MemberVisit, documentId: string, address: string): Promise<boolean> {
  const key = { workspaceId: viewer.workspace.id, documentId };
  await app.live.bringInNew(key);
  const { blocks } = await readBody(app.database.read, key);
  return blocks.some((block) => remotePicturesIn(renderBlock(block)).includes(address));
}

export const picturePages = [get("/documents/:id/pictures", showPicture)];
