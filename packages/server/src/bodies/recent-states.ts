import type { BlockPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import { keepTyped } from "@svc/live/keep-typed";
import type { EarlierBlock } from "@svc/live/typed-words";
import type { Reader, Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { RecentStateRow } from "../db/schema/tables/live.ts";
import { statement } from "../db/statement/statement.ts";
import { MINUTE_MS } from "../time.ts";
import type { StoredBody } from "./body.ts";

/** A longer block is recorded less often: a spreadsheet is one block, and each keystroke changes it. */
const LONG_BLOCK = 64 * 1024;
const LONG_BLOCK_PAUSE_MS = 10_000;
/** How long states are used: one of them precedes every change of the last minute, even in a long block. */
export const RECENT_MS = MINUTE_MS + LONG_BLOCK_PAUSE_MS;

/** The states that blocks had before their latest changes, by block id, oldest first. */
type RecentStates = ReadonlyMap<string, readonly EarlierBlock[]>;

const selectRecent = statement<
  DocumentKey & { since: number },
  Pick<RecentStateRow, "block_id" | "block" | "is_typed">
>((db, value) =>
  db
    .selectFrom("recent_states")
    .select(["block_id", "block", "is_typed"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("created_at", ">", value("since"))
    .orderBy("revision"),
);

const selectLast = statement<DocumentKey & { blockId: string }, Pick<RecentStateRow, "created_at">>((db, value) =>
  db
    .selectFrom("recent_states")
    .select("created_at")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("block_id", "=", value("blockId"))
    .orderBy("revision", "desc")
    .limit(1),
);

const insertStates = statement<{ rows: readonly RecentStateRow[] }, unknown>(
  (tx, value) => tx.insertInto("recent_states").values(value("rows")),
  {
    rows: "rows",
    fields: ["workspace_id", "document_id", "revision", "block_id", "block", "is_typed", "created_at"],
  },
);

/** The recent states of a document's blocks; none if nobody has edited it live. */
export async function findRecentStates(db: Reader, key: DocumentKey, body: StoredBody): Promise<RecentStates> {
  const states = new Map<string, EarlierBlock[]>();
  if (body.liveRevisions === 0) return states;
  for (const row of await selectRecent(db, { ...key, since: Date.now() - RECENT_MS })) {
    const { block_id: id, block, is_typed } = row;
    // The block did not exist before, so nobody can have written to it.
    if (block === null) states.set(id, []);
    else states.set(id, [...(states.get(id) ?? []), { block: JSON.parse(block), isTyped: is_typed === 1 }]);
  }
  return states;
}

/** Merges a write that names no version with what people typed meanwhile; returns undefined if that is impossible. */
export const mergeWithTyped = (
  before: StoredBody,
  blocks: readonly Node[],
  earlier: RecentStates,
): readonly Node[] | undefined =>
  earlier.size === 0 ? blocks : keepTyped({ before: before.blocks, after: blocks, earlier });

interface Change {
  readonly before: StoredBody;
  readonly changes: readonly BlockPlaces[];
  /** The states that are stored already; undefined for a typed change. */
  readonly earlier: RecentStates | undefined;
}

/** Records the states that blocks had before a live edit, and before other writes to blocks that were edited live. */
export async function recordStates(tx: Tx, key: DocumentKey, { before, changes, earlier }: Change): Promise<void> {
  const now = Date.now();
  const rows: RecentStateRow[] = [];
  for (const { block_id, change_type, old_position } of changes) {
    if (change_type === "moved" || change_type === "removed" || earlier?.has(block_id) === false) continue;
    const block = old_position === null ? null : JSON.stringify(before.blocks[old_position]);
    const row = {
      workspace_id: key.workspaceId,
      document_id: key.documentId,
      revision: before.revision,
      block_id,
      block,
      is_typed: earlier ? 0 : 1,
      created_at: now,
    };
    if (earlier || (block?.length ?? 0) <= LONG_BLOCK || (await isDue(tx, key, row))) rows.push(row);
  }
  if (rows.length > 0) await insertStates.enqueue(tx, { rows });
}

async function isDue(tx: Tx, key: DocumentKey, { block_id: blockId, created_at }: RecentStateRow): Promise<boolean> {
  const [last] = await selectLast(tx, { ...key, blockId });
  return !last || created_at - last.created_at >= LONG_BLOCK_PAUSE_MS;
}
