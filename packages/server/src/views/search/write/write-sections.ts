import type { Tx } from "../../../db/database.ts";
import type { SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { moveBlocks, noteOutline } from "./documents.ts";
import type { Pending } from "./pending-document.ts";

/** Blocks that one transaction moves to other sections. For a document with more, bodies are read to show its hits. */
const MAX_MOVED_BLOCKS = 512;

/** An indexed document's row after its changes. `outline_version` moves on if it was current. */
export const rowAfter = (row: SearchDocumentRow, { from, version, moved }: Pending): SearchDocumentRow => ({
  ...row,
  indexed_version: version,
  outline_version: row.outline_version === from && moved.size <= MAX_MOVED_BLOCKS ? version : null,
});

/** Writes the changed headings and sections of an indexed document. */
export async function writeSections(tx: Tx, row: SearchDocumentRow, { outline, moved }: Pending): Promise<void> {
  if (row.outline_version !== row.indexed_version) return;
  const { workspace_id: workspaceId, document_id: documentId, number: document } = row;
  if (outline) await noteOutline.enqueue(tx, { workspaceId, documentId, outline: JSON.stringify(outline) });
  const bySection = Map.groupBy(moved, ([, section]) => section);
  for (const [section, blocks] of bySection)
    await moveBlocks.enqueue(tx, { workspaceId, document, section, ids: blocks.map(([id]) => id) });
}
