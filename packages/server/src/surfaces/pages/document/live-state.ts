import { getDocument } from "../../../domain/library/documents/queries.ts";
import { readState } from "../../../domain/live/read-state.ts";
import { canWriteIn, get, idFrom, type MemberVisit, type Outcome } from "../visit.ts";

/** Sends the live state to an editor: bytes, not a page. */
async function showState(visit: MemberVisit): Promise<Outcome> {
  const key = { workspaceId: visit.viewer.workspace.id, documentId: idFrom(visit.params.id, "document") };
  const { knowledge_base_id } = await getDocument(visit.app.database.read, key.workspaceId, key.documentId);
  const bytes = await readState(visit.app, key, {
    userId: visit.viewer.userId,
    mayWrite: canWriteIn(visit, knowledge_base_id),
    epoch: visit.query.get("epoch"),
  });
  return { raw: { contentType: "application/octet-stream", body: Buffer.from(bytes.buffer, 0, bytes.byteLength) } };
}

export const liveStatePages = [get("/documents/:id/live/state", showState)];
