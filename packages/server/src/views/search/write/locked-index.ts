import { defined } from "@svc/document/defined";
import { indexChange } from "@svc/search/segment/index-writer";
import { TOKENIZER_VERSION } from "@svc/search/text/tokenizer";
import type { Tx } from "../../../db/database.ts";
import type { SearchCountersRow } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";
import { newStamp } from "../read/stored-index.ts";
import { buildTexts, type DocumentBlocks, sinceEpoch } from "./document-blocks.ts";
import { numbersFrom } from "./numbering.ts";
import { writeChange } from "./write-change.ts";

const emptyCounters = (workspaceId: string): SearchCountersRow => ({
  workspace_id: workspaceId,
  epoch: 1,
  epoch_base: 1,
  tokenizer_version: TOKENIZER_VERSION,
  blocks: 0,
  total_length: 0,
  next_number: 1,
  next_document: 1,
  level_zero: 0,
  backlog: 0,
  stamp: 0,
});

const newCounters = statement<{ workspaceId: string }, unknown>((tx, value) =>
  tx
    .insertInto("search_counters")
    .values(emptyCounters(value("workspaceId")))
    .onConflict((conflict) => conflict.column("workspace_id").doNothing()),
);

const savedColumns = [
  "blocks",
  "total_length",
  "next_number",
  "next_document",
  "level_zero",
  "backlog",
  "stamp",
] as const;
const savedCounters = statement<SearchCountersRow, unknown>((tx, value) =>
  tx
    .updateTable("search_counters")
    .set(Object.fromEntries(savedColumns.map((column) => [column, value(column)])))
    .where("workspace_id", "=", value("workspace_id")),
);

/**
 * A workspace's index, locked against other writers until the end of the transaction. So block numbers are in commit
 * order, and nothing ever appears behind a reader's cursor.
 */
export class LockedIndex {
  readonly #tx: Tx;
  readonly #counters: SearchCountersRow;

  private constructor(tx: Tx, counters: SearchCountersRow) {
    this.#tx = tx;
    this.#counters = counters;
  }

  static async lock(tx: Tx, workspaceId: string): Promise<LockedIndex> {
    const known = await tx.lock("search_counters", workspaceId, workspaceId);
    if (known) return new LockedIndex(tx, { ...known });
    await newCounters(tx, { workspaceId });
    const counters = await tx.lock("search_counters", workspaceId, workspaceId);
    return new LockedIndex(tx, { ...defined(counters) });
  }

  get epoch(): number {
    return this.#counters.epoch;
  }

  /** Whether another version of this program made the index: only that one may add to it. */
  get isForeign(): boolean {
    return this.#counters.tokenizer_version !== TOKENIZER_VERSION;
  }

  get levelZero(): number {
    return this.#counters.level_zero;
  }

  nextDocument(): number {
    return this.#counters.next_document++;
  }

  get hasWork(): boolean {
    return this.#counters.backlog === 1;
  }

  /** Records that there is work for the background. */
  leaveWork(): void {
    this.#counters.backlog = 1;
  }

  leaveNothing(): void {
    this.#counters.backlog = 0;
  }

  /**
   * Writes all changes as one segment and returns how many blocks each document gained. `built`: their added blocks.
   */
  async write(changes: readonly DocumentBlocks[], built = buildTexts(changes)): Promise<number[]> {
    const counters = this.#counters;
    const numbering = numbersFrom(counters.next_number);
    const change = indexChange(numbering.first, sinceEpoch(changes, counters.epoch_base), built);
    const index = { workspaceId: counters.workspace_id, epoch: counters.epoch };
    const gained = await writeChange(this.#tx, index, numbering, changes, change);
    if (change.segment) counters.level_zero++;
    counters.blocks += change.counters.blocks;
    counters.total_length += change.counters.length;
    counters.next_number = change.counters.nextNumber;
    return gained;
  }

  /** The last step of every change. */
  async save(): Promise<void> {
    this.#counters.stamp = newStamp();
    await savedCounters.enqueue(this.#tx, this.#counters);
  }
}
