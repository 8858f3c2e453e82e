import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { getDocument, lockDocument } from "../documents/queries.ts";
import { findLockedFolder } from "../folders/queries.ts";

/** Locks a document that is about to get versions beside it: its folder first, as the order of locks asks. */
export async function lockSource(tx: Tx, workspaceId: string, id: string): Promise<DocumentRow> {
  const { folder_id } = await getDocument(tx, workspaceId, id);
  if (folder_id !== null) await findLockedFolder(tx, workspaceId, folder_id);
  return lockDocument(tx, workspaceId, id);
}
