import { indexChange } from "@svc/search/segment/index-writer";
import type { BuiltSegment } from "@svc/search/segment/segment-build";
import { MAX_BLOCK_NUMBER } from "@svc/search/segment/segment-format";
import { TOKENIZER_VERSION } from "@svc/search/text/tokenizer";
import type { Tx } from "../../../db/database.ts";
import type { SearchCountersRow } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";
import { newStamp } from "../read/stored-index.ts";
import { type DocumentBlocks, sinceEpoch } from "./document-blocks.ts";
import { type IndexKey, NUMBERS_BELOW_COUNTER } from "./numbering.ts";
import { writeChange } from "./write-change.ts";

/** Blocks that are added or removed. Each takes a separate statement. */
const MAX_BLOCKS = 32;

interface Advance extends IndexKey {
  readonly numbers: number;
  readonly blocks: number;
  readonly length: number;
  readonly stamp: number;
}

const advanceCounters = statement<Advance, unknown>((tx, value) =>
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

/**
 * Writes an edit of few blocks without waiting for the index's lock: the statements take the numbers from the counter,
 * and all are sent with the commit. `counters` may be slightly outdated. Returns how many blocks each document gained;
 * undefined if the edit is of another kind, and then nothing was written.
 */
export async function writeSmallEdit(
  tx: Tx,
  counters: SearchCountersRow,
  changes: readonly DocumentBlocks[],
  built: BuiltSegment,
): Promise<number[] | undefined> {
  if (counters.tokenizer_version !== TOKENIZER_VERSION || counters.next_number > MAX_BLOCK_NUMBER / 2) return undefined;
  if (changes.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0) > MAX_BLOCKS)
    return undefined;
  const numbering = NUMBERS_BELOW_COUNTER;
  const change = indexChange(numbering.first, sinceEpoch(changes, counters.epoch_base), built);
  if (!change.segment || change.segment.pages.length > 0) return undefined;
  const index = { workspaceId: counters.workspace_id, epoch: counters.epoch };
  const { nextNumber: numbers, ...grown } = change.counters;
  tx.retryIfNull("search_segments", "base");
  tx.retryIfNull("search_blocks", "number");
  await advanceCounters.enqueue(tx, { ...index, ...grown, numbers, stamp: newStamp() });
  return writeChange(tx, index, numbering, changes, change);
}
