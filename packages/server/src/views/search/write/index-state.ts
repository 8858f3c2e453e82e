import type { Tx } from "../../../db/database.ts";
import type { SearchBlockRow, SearchCountersRow, SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { countersRow } from "../read/stored-index.ts";
import { findBlocksOfDocument, findIndexedDocuments, findMostOfDocument } from "./documents.ts";
import type { Pending } from "./pending-document.ts";

/** Blocks that one transaction indexes or removes itself. The rest is left to the background. */
export const INLINE_BLOCKS = 2000;

/** Up to this many texts are looked up one by one, however little else there is. */
const FEW_TEXTS = 16;

/** The state of a changed document in the index. */
export interface IndexedState {
  readonly pending: Pending;
  readonly row: SearchDocumentRow | undefined;
  /** The blocks that the change affects; undefined if there are too many to replace one by one. */
  readonly blocks: readonly SearchBlockRow[] | undefined;
}

export interface IndexState {
  readonly seen: readonly IndexedState[];
  /** The counters at that time. */
  readonly counters: SearchCountersRow | undefined;
}

/**
 * Whether a state read before the index was locked still holds. Only its writers change a new document or one whose row
 * is up to date, and these wait for each other; any other may have been indexed in the background.
 */
export const isSettled = ({ pending, row }: IndexedState, epoch: number): boolean =>
  row ? row.indexed_epoch === epoch && row.indexed_version === pending.from : pending.from === null;

/** Reads the state of the changed documents in the index, with the blocks that will be replaced. */
export async function readIndexState(tx: Tx, workspaceId: string, pending: readonly Pending[]): Promise<IndexState> {
  const older = pending.filter(({ isCreated }) => !isCreated);
  const [rows, [counters], ...found] = await Promise.all([
    findRows(
      tx,
      workspaceId,
      older.map(({ documentId }) => documentId),
    ),
    older.length > 0 ? countersRow(tx, { workspaceId }) : [],
    ...pending.map((one) => findBlocks(tx, workspaceId, one)),
  ]);
  const seen = pending.map((one, i) => {
    const row = rows.get(one.documentId);
    return { pending: one, row, blocks: row?.indexed_version === one.from ? found[i] : [] };
  });
  return { seen, counters };
}

function findBlocks(
  tx: Tx,
  workspaceId: string,
  { documentId, from, texts, isRewritten }: Pending,
): Promise<SearchBlockRow[]> | undefined {
  if (from === null || 2 * texts.size > INLINE_BLOCKS) return undefined;
  if (isRewritten && texts.size > FEW_TEXTS) return findMostOfDocument(tx, workspaceId, documentId, texts);
  return findBlocksOfDocument(tx, workspaceId, documentId, [...texts.keys()]);
}

export async function findRows(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, SearchDocumentRow>> {
  const rows = await findIndexedDocuments(tx, workspaceId, ids);
  return new Map(rows.map((row) => [row.document_id, row]));
}
