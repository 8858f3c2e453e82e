import { randomInt } from "node:crypto";
import { defined } from "@svc/document/defined";
import { emptyIndex } from "@svc/search/segment/empty-index";
import { isTermPage, pageKey, pageKeysOf } from "@svc/search/segment/page-key";
import type { Counters, PageKey, SearchReads, SegmentRow, StoredParts } from "@svc/search/segment/store-port";
import type { Selectable } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { SearchCountersRow, SearchSegmentRow } from "../../../db/schema/tables/search.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { statement } from "../../../db/statement/statement.ts";
import { listHidden } from "../write/documents.ts";

export const countersOf = (row: SearchCountersRow): Counters => ({
  epoch: row.epoch,
  epochBase: row.epoch_base,
  tokenizerVersion: row.tokenizer_version,
  blocks: row.blocks,
  totalLength: row.total_length,
  nextNumber: row.next_number,
  nextDocument: row.next_document,
  stamp: row.stamp,
  hasBacklog: row.backlog === 1,
});

const manifestColumns = ["id", "stamp", "level", "base", "last", "blocks", "term_pages", "removed", "dead"] as const;

type ManifestRow = Pick<Selectable<SearchSegmentRow>, (typeof manifestColumns)[number]>;

const segmentOf = (row: ManifestRow): SegmentRow => ({
  id: row.id,
  stamp: row.stamp,
  level: row.level,
  base: row.base,
  last: row.last,
  blocks: row.blocks,
  termPages: row.term_pages,
  removed: row.removed,
  dead: row.dead,
});

/** A workspace's current or slightly older counters. */
export const countersRow = statement<{ workspaceId: string }, SearchCountersRow>((db, value) =>
  db.selectFrom("search_counters").selectAll().where("workspace_id", "=", value("workspaceId")),
);
const liveSegments = statement<{ workspaceId: string; epoch: number }, ManifestRow>((db, value) =>
  db
    .selectFrom("search_segments")
    .select(manifestColumns)
    .where("workspace_id", "=", value("workspaceId"))
    .where("state", "=", "live")
    .where("epoch", "=", value("epoch"))
    .orderBy("base")
    .orderBy("id"),
);
const pagesByKey = statement<
  { workspaceId: string; keys: readonly number[] },
  Pick<Tables["search_pages"], "page_key" | "content">
>(
  (db, value) =>
    db
      .selectFrom("search_pages")
      .select(["page_key", "content"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("page_key", "in", value("keys")),
  { list: "keys" },
);

const partsOfSegment = statement<{ workspaceId: string; segment: number }, StoredParts>((db, value) =>
  db
    .selectFrom("search_segments")
    .select(["tombstones", "runs", "payload"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("segment")),
);

/** Rows per read, about two milliseconds: each row is on a separate database page. */
const DIRECTORY_ROWS = 512;
const directoryPart = statement<
  { workspaceId: string; from: number; to: number },
  Pick<Tables["search_pages"], "page_key" | "first_term">
>((db, value) =>
  db
    .selectFrom("search_pages")
    .select(["page_key", "first_term"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("page_key", ">=", value("from"))
    .where("page_key", "<", value("to"))
    .orderBy("page_key")
    .limit(DIRECTORY_ROWS),
);

/** A workspace's index as one transaction or snapshot sees it. */
export class StoredIndex implements SearchReads {
  readonly #db: Reader;
  readonly workspaceId: string;
  #epoch: number | undefined;

  /** `epoch` is the current epoch, if the caller knows it. */
  constructor(db: Reader, workspaceId: string, epoch?: number) {
    this.#db = db;
    this.workspaceId = workspaceId;
    this.#epoch = epoch;
  }

  async readCounters(): Promise<Counters> {
    const [row] = await countersRow(this.#db, this);
    const counters = row ? countersOf(row) : emptyIndex;
    this.#epoch = counters.epoch;
    return counters;
  }

  async readSegments(): Promise<SegmentRow[]> {
    const epoch = this.#epoch ?? (await this.readCounters()).epoch;
    const rows = await liveSegments(this.#db, { workspaceId: this.workspaceId, epoch });
    return rows.map(segmentOf);
  }

  async readParts(segment: number): Promise<StoredParts> {
    const [row] = await partsOfSegment(this.#db, { workspaceId: this.workspaceId, segment });
    if (!row) throw new Error(`Segment ${segment} of the search index is missing.`);
    return row;
  }

  /** Reads in parts, because the directory of a large segment has tens of thousands of terms. */
  async readDirectory(segment: number): Promise<string[]> {
    const { from, to } = pageKeysOf(segment);
    const terms: string[] = [];
    for (let at = from; ; ) {
      const rows = await directoryPart(this.#db, { workspaceId: this.workspaceId, from: at, to });
      for (const row of rows) if (isTermPage(row.page_key)) terms.push(row.first_term);
      if (rows.length < DIRECTORY_ROWS) return terms;
      at = defined(rows.at(-1)).page_key + 1;
      await yieldToEventLoop();
    }
  }

  async readHidden(): Promise<number[]> {
    return (await listHidden(this.#db, this.workspaceId)).map((row) => row.number);
  }

  async readPages(keys: readonly PageKey[]): Promise<Uint8Array[]> {
    const wanted = keys.map(pageKey);
    const rows = await pagesByKey(this.#db, { workspaceId: this.workspaceId, keys: wanted });
    const found = new Map(rows.map((row) => [row.page_key, row.content]));
    return wanted.map((key) => {
      const content = found.get(key);
      if (!content) throw new Error(`Page ${key} of the search index is missing.`);
      return content;
    });
  }
}

/** Returns a stamp for a new segment or a changed index. */
export const newStamp = (): number => randomInt(2 ** 48 - 1);
