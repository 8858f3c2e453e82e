import { type IndexChange, indexChange } from "@svc/search/segment/index-writer";
import type { BuiltSegment } from "@svc/search/segment/segment-build";
import { maxBlockNumber } from "@svc/search/segment/segment-format";
import type { NewSegment } from "@svc/search/segment/store-port";
import { tokenizerVersion } from "@svc/search/text/tokenizer";
import { sql } from "kysely";
import type { SelectBuilder, Tx } from "../../../db/database.ts";
import type { SearchBlockRow, SearchCountersRow, SearchDocumentRow } from "../../../db/schema/tables/search.ts";
import { prepared } from "../../../db/statement/statement.ts";
import { newStamp } from "../read/stored-index.ts";
import { noteIndexedVersion } from "./documents.ts";
import type { DocumentBlocks } from "./locked-index.ts";

/** Each block takes a statement of its own. */
const mostBlocks = 16;

/** Which numbers the statements of an edit mean: those that the counter has given out for it. */
interface Taken {
  readonly workspaceId: string;
  readonly epoch: number;
  /** How far below the counter. */
  readonly below: number;
}

type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** Nothing when a rebuild has begun meanwhile: no column takes that, so the transaction fails, and runs again. */
const takenNumber = (tx: SelectBuilder, value: ValueOf<Taken>) =>
  tx
    .selectFrom("search_counters")
    .select((eb) => eb("next_number", "-", value("below")).as("number"))
    .where("workspace_id", "=", value("workspaceId"))
    .where("epoch", "=", value("epoch"));

interface Advance extends Omit<Taken, "below"> {
  readonly numbers: number;
  readonly blocks: number;
  readonly length: number;
  readonly stamp: number;
}

const advanceCounters = prepared<Advance, unknown>((tx, value) =>
  tx
    .updateTable("search_counters")
    .set((eb) => ({
      next_number: eb("next_number", "+", value("numbers")),
      blocks: eb("blocks", "+", value("blocks")),
      total_length: eb("total_length", "+", value("length")),
      level_zero: eb("level_zero", "+", 1),
      stamp: value("stamp"),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .where("epoch", "=", value("epoch")),
);

type SegmentValues = Taken & Pick<NewSegment, "blocks" | "termPages" | "removed" | "runs" | "payload">;

const insertSegment = prepared<SegmentValues & { readonly stamp: number }, unknown>((tx, value) => {
  const base = takenNumber(tx, value);
  return tx.insertInto("search_segments").values({
    workspace_id: value("workspaceId"),
    epoch: value("epoch"),
    stamp: value("stamp"),
    state: "live",
    level: 0,
    base,
    last: sql<number>`${base} + ${value("blocks")} - 1`,
    blocks: value("blocks"),
    term_pages: value("termPages"),
    dead: 0,
    removed: value("removed"),
    tombstones: none,
    runs: value("runs"),
    payload: value("payload"),
  });
});
const none = new Uint8Array(0);

const renumberBlock = prepared<Taken & { readonly old: number; readonly length: number }, unknown>((tx, value) =>
  tx
    .updateTable("search_blocks")
    .set({ number: takenNumber(tx, value), length: value("length") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("number", "=", value("old")),
);

const insertBlock = prepared<Taken & Pick<SearchBlockRow, "document" | "block_id" | "length">, unknown>((tx, value) =>
  tx.insertInto("search_blocks").values({
    workspace_id: value("workspaceId"),
    number: takenNumber(tx, value),
    document: value("document"),
    block_id: value("block_id"),
    length: value("length"),
  }),
);

const deleteBlock = prepared<Pick<Taken, "workspaceId"> & { readonly number: number }, unknown>((tx, value) =>
  tx.deleteFrom("search_blocks").where("workspace_id", "=", value("workspaceId")).where("number", "=", value("number")),
);

/** A document that the index holds as it was before the edit, and what the edit does to its blocks. */
export interface EditedDocument {
  readonly row: SearchDocumentRow;
  /** The version that the index will hold. */
  readonly version: string;
  readonly change: DocumentBlocks;
}

/**
 * Writes an edit of few blocks, as `LockedIndex` does, but asks for nothing while the index is locked: the numbers are
 * taken from the counter by the statements themselves, which all go out with the commit. `counters` may be of a little
 * earlier. False when the edit is not of that kind; then nothing was written.
 */
export async function writeSmallEdit(
  tx: Tx,
  counters: SearchCountersRow,
  documents: readonly EditedDocument[],
  built: BuiltSegment,
): Promise<boolean> {
  if (counters.tokenizer_version !== tokenizerVersion || counters.next_number > maxBlockNumber / 2) return false;
  const changes = documents.map(({ change }) => change);
  if (changes.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0) > 2 * mostBlocks)
    return false;
  const since = changes.map((change) => ({
    ...change,
    removed: change.removed.filter(({ number }) => number >= counters.epoch_base),
  }));
  // As if the counter stood at 0.
  const edit = indexChange(0, since, built);
  if (!edit.segment || edit.segment.pages.length > 0) return false;
  const index = { workspaceId: counters.workspace_id, epoch: counters.epoch };
  const { nextNumber: numbers, ...grown } = edit.counters;
  await advanceCounters.enqueue(tx, { ...index, ...grown, numbers, stamp: newStamp() });
  await insertSegment.enqueue(tx, { ...index, ...edit.segment, below: numbers, stamp: newStamp() });
  await replaceBlocks(tx, index, documents, edit);
  return true;
}

async function replaceBlocks(
  tx: Tx,
  index: Omit<Taken, "below">,
  documents: readonly EditedDocument[],
  { added: numbered, counters }: IndexChange,
): Promise<void> {
  let at = 0;
  for (const { row, version, change } of documents) {
    const { document, added, removed } = change;
    let blocks = row.blocks - removed.length;
    const before = new Map(removed.map((row) => [row.block_id, row.number]));
    for (const { blockId } of added) {
      const block = numbered[at++];
      if (!block) continue;
      blocks++;
      const taken = { ...index, below: counters.nextNumber - block.number, length: block.length };
      const old = before.get(blockId);
      before.delete(blockId);
      if (old === undefined) await insertBlock.enqueue(tx, { ...taken, document, block_id: blockId });
      else await renumberBlock.enqueue(tx, { ...taken, old });
    }
    for (const number of before.values()) await deleteBlock.enqueue(tx, { ...index, number });
    await noteIndexedVersion.enqueue(tx, { ...row, indexed_version: version, blocks });
  }
}
