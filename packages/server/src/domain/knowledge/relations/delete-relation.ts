import type { Tx } from "../../../db/database.ts";
import { apiError, notFound } from "../../../errors.ts";
import { deleteManual, findInline } from "./queries.ts";

/** Deletes a stated relation. */
export async function deleteRelation(tx: Tx, workspaceId: string, id: string, vias: readonly string[]): Promise<void> {
  if (await deleteManual(tx, workspaceId, id)) return;
  const inline = await findInline(tx, workspaceId, vias, id);
  if (!inline) throw notFound("relation", id);
  throw apiError("relation_not_manual", {
    source_document_id: inline.document_id,
    source_block_id: inline.source_block_id,
    hint: "Edit the link in the source block.",
  });
}
