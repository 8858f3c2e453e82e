import { indexChange } from "@svc/search/segment/index-writer";
import { pageKey } from "@svc/search/segment/page-key";
import { type BuiltSegment, buildSegment } from "@svc/search/segment/segment-build";
import type { EncodedPage } from "@svc/search/segment/segment-format";
import type { NewSegment } from "@svc/search/segment/store-port";
import { tokenizerVersion } from "@svc/search/text/tokenizer";
import type { Tx } from "../../../db/database.ts";
import type {
  SearchBlockRow,
  SearchCountersRow,
  SearchDocumentRow,
  SearchSegmentRow,
} from "../../../db/schema/tables/search.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { prepare, prepareInsert } from "../../../db/statement/list-statement.ts";
import { locked } from "../../../db/transaction/lock-rows.ts";
import { newStamp } from "../read/stored-index.ts";
import { noteIndexedVersion, replaceBlocks } from "./documents.ts";

/** `blockId` is empty for the title. */
export type BlockText = { readonly blockId: string; readonly text: string };

/** What happens to one document's blocks. */
export type DocumentBlocks = {
  readonly document: number;
  readonly added: readonly BlockText[];
  readonly removed: readonly SearchBlockRow[];
};

/** The work on the added blocks that needs no lock. */
export const prepareTexts = (changes: readonly Pick<DocumentBlocks, "added">[]): BuiltSegment =>
  buildSegment(
    changes.flatMap(({ added }) =>
      added.map(({ blockId, text }) => ({ field: blockId === "" ? ("title" as const) : ("content" as const), text })),
    ),
  );

const emptyCounters = (workspaceId: string): SearchCountersRow => ({
  workspace_id: workspaceId,
  epoch: 1,
  epoch_base: 1,
  tokenizer_version: tokenizerVersion,
  blocks: 0,
  total_length: 0,
  next_number: 1,
  next_document: 1,
  level_zero: 0,
  backlog: 0,
  stamp: 0,
});

const none = new Uint8Array(0);

const lockedCounters = prepare((tx, dialect) =>
  locked(dialect, tx.selectFrom("search_counters").selectAll().where("workspace_id", "=", "")),
);
const newCounters = prepare((tx) =>
  tx
    .insertInto("search_counters")
    .values(emptyCounters(""))
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
const savedCounters = prepare((tx) =>
  tx
    .updateTable("search_counters")
    .set(Object.fromEntries(savedColumns.map((column) => [column, 0])))
    .where("workspace_id", "=", ""),
);

const segmentColumns = [
  ...(["workspace_id", "stamp", "epoch", "state", "level", "base", "last", "blocks", "term_pages", "dead"] as const),
  ...(["removed", "tombstones", "runs", "payload"] as const),
] as const;
type NewRow = Omit<SearchSegmentRow, "id">;
const insertedSegment = prepare((tx) =>
  tx
    .insertInto("search_segments")
    .values(Object.fromEntries(segmentColumns.map((column) => [column, ""])) as unknown as NewRow)
    .returning("id"),
);

/**
 * A workspace's index, locked against other writers to the end of the transaction: the order of block numbers is the
 * order of commits, so nothing ever appears behind a reader's cursor.
 */
export class LockedIndex {
  readonly #tx: Tx;
  readonly #counters: SearchCountersRow;

  private constructor(tx: Tx, counters: SearchCountersRow) {
    this.#tx = tx;
    this.#counters = counters;
  }

  static async lock(tx: Tx, workspaceId: string): Promise<LockedIndex> {
    const [known] = await lockedCounters(tx, workspaceId);
    if (known) return new LockedIndex(tx, { ...known });
    await newCounters(tx, ...Object.values(emptyCounters(workspaceId)));
    const [counters] = await lockedCounters(tx, workspaceId);
    return new LockedIndex(tx, { ...counters! });
  }

  get epoch(): number {
    return this.#counters.epoch;
  }

  /** Another version of this program has made the index: only it may add to it. */
  get isForeign(): boolean {
    return this.#counters.tokenizer_version !== tokenizerVersion;
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

  /** There is work left for the background. */
  leaveWork(): void {
    this.#counters.backlog = 1;
  }

  leaveNothing(): void {
    this.#counters.backlog = 0;
  }

  /** Writes all changes as one segment; answers how many blocks each document gained. `prepared`: their added blocks. */
  async write(changes: readonly DocumentBlocks[], prepared = prepareTexts(changes)): Promise<number[]> {
    const counters = this.#counters;
    const change = indexChange(
      counters.next_number,
      changes.map(({ document, added, removed }) => ({
        document,
        added,
        removed: removed.filter(({ number }) => number >= counters.epoch_base),
      })),
      prepared,
    );
    const rows = this.#rows(changes, change.added);
    if (change.segment) await this.#insertSegment(change.segment);
    await replaceBlocks(
      this.#tx,
      counters.workspace_id,
      changes.flatMap(({ removed }) => removed),
      rows.flat(),
    );
    counters.blocks += change.counters.blocks;
    counters.total_length += change.counters.length;
    counters.next_number = change.counters.nextNumber;
    return changes.map(({ removed }, i) => rows[i]!.length - removed.length);
  }

  /** Notes a document's new version. */
  noteVersion(row: SearchDocumentRow): Promise<void> {
    return noteIndexedVersion.enqueue(this.#tx, row);
  }

  /** The last step of every change. */
  async save(): Promise<void> {
    this.#counters.stamp = newStamp();
    const { workspace_id, ...values } = this.#counters;
    await savedCounters.enqueue(this.#tx, ...savedColumns.map((column) => values[column]), workspace_id);
  }

  #rows(
    changes: readonly DocumentBlocks[],
    indexed: readonly ({ number: number; length: number } | undefined)[],
  ): SearchBlockRow[][] {
    const { workspace_id } = this.#counters;
    let at = 0;
    return changes.map(({ document, added }) => {
      const rows: SearchBlockRow[] = [];
      for (const { blockId: block_id } of added) {
        const block = indexed[at++];
        if (block) rows.push({ workspace_id, document, block_id, number: block.number, length: block.length });
      }
      return rows;
    });
  }

  async #insertSegment({ pages, termPages, ...segment }: NewSegment): Promise<void> {
    const { workspace_id, epoch } = this.#counters;
    const row: NewRow = {
      ...segment,
      workspace_id,
      epoch,
      state: "live",
      stamp: newStamp(),
      term_pages: termPages,
      dead: 0,
      tombstones: none,
    };
    this.#counters.level_zero++;
    const values = segmentColumns.map((column) => row[column]);
    if (pages.length === 0) return insertedSegment.enqueue(this.#tx, ...values);
    const [inserted] = await insertedSegment(this.#tx, ...values);
    await insertPages(this.#tx, workspace_id, inserted!.id, pages);
  }
}

const insertPageRows = prepareInsert<Tables["search_pages"]>(
  ["workspace_id", "page_key", "first_term", "content"],
  (tx, rows) => tx.insertInto("search_pages").values(rows),
);

export async function insertPages(
  tx: Tx,
  workspaceId: string,
  segment: number,
  pages: readonly EncodedPage[],
): Promise<void> {
  for (let i = 0; i < pages.length; i += 16) {
    const rows = pages.slice(i, i + 16).map((page) => ({
      workspace_id: workspaceId,
      page_key: pageKey({ segment, ...page }),
      first_term: page.firstTerm,
      content: page.bytes,
    }));
    await insertPageRows(tx, rows);
  }
}
