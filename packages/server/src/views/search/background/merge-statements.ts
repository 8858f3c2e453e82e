import type { MergeSwap } from "@svc/search/segment/store-port";
import { type Selectable, sql } from "kysely";
import type { SelectBuilder } from "../../../db/database.ts";
import type { SearchSegmentRow } from "../../../db/schema/tables/search.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { statement } from "../../../db/statement/statement.ts";

/** The statements of merges: a busy index runs all of them several times a second. */

interface Index {
  readonly workspaceId: string;
}

const NONE = new Uint8Array(0);

export const beginSegment = statement<Index & { epoch: number; stamp: number }, { readonly id: number }>((tx, value) =>
  tx
    .insertInto("search_segments")
    .values({
      workspace_id: value("workspaceId"),
      epoch: value("epoch"),
      state: "building",
      stamp: value("stamp"),
      ...{ level: 0, base: 0, last: 0, blocks: 0, term_pages: 0, dead: 0 },
      ...{ removed: NONE, tombstones: NONE, runs: NONE, payload: null },
    })
    .returning("id"),
);

type Segments = Index & { readonly ids: readonly number[] };

/** Deletes the segments that have no pages of their own. */
export const deleteSmall = statement<Segments, { readonly id: number }>(
  (tx, value) =>
    tx
      .deleteFrom("search_segments")
      .where("workspace_id", "=", value("workspaceId"))
      .where("id", "in", value("ids"))
      .where("payload", "is not", null)
      .returning("id"),
  { list: "ids" },
);

export const deleteSegments = statement<Segments, unknown>(
  (tx, value) =>
    tx.deleteFrom("search_segments").where("workspace_id", "=", value("workspaceId")).where("id", "in", value("ids")),
  { list: "ids" },
);

export const endSegments = statement<Segments, unknown>(
  (tx, value) =>
    tx
      .updateTable("search_segments")
      .set({ state: "dead" })
      .where("workspace_id", "=", value("workspaceId"))
      .where("id", "in", value("ids")),
  { list: "ids" },
);

type Tombstones = Index & { readonly id: number; readonly tombstones: Uint8Array; readonly dead: number };

export const setTombstones = statement<Tombstones, unknown>((tx, value) =>
  tx
    .updateTable("search_segments")
    .set({ tombstones: value("tombstones"), dead: value("dead") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("id")),
);

export const showMerged = statement<Index & NonNullable<MergeSwap["merged"]>, unknown>((tx, value) =>
  tx
    .updateTable("search_segments")
    .set({
      state: "live",
      level: value("level"),
      base: value("base"),
      last: value("last"),
      blocks: value("blocks"),
      term_pages: value("termPages"),
      dead: value("dead"),
      tombstones: value("tombstones"),
      runs: value("runs"),
    })
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("id")),
);

/** `levelZero`: the number of removed segments of that level. */
export const countMerged = statement<Index & { epoch: number; levelZero: number; stamp: number }, unknown>(
  (tx, value) =>
    tx
      .updateTable("search_counters")
      .set((eb) => ({ level_zero: eb("level_zero", "-", value("levelZero")), stamp: value("stamp") }))
      .where("workspace_id", "=", value("workspaceId"))
      .where("epoch", "=", value("epoch")),
);

/** Pages or small segments removed in one transaction: about a millisecond. A commit takes longer than most of them. */
export const REMOVED_AT_ONCE = 256;

type PageRange = Index & { readonly from: number };

export const firstPages = statement<PageRange & { readonly to: number }, Pick<Tables["search_pages"], "page_key">>(
  (db, value) =>
    db
      .selectFrom("search_pages")
      .select("page_key")
      .where("workspace_id", "=", value("workspaceId"))
      .where("page_key", ">=", value("from"))
      .where("page_key", "<", value("to"))
      .orderBy("page_key")
      .limit(REMOVED_AT_ONCE),
);

export const deletePages = statement<PageRange & { readonly last: number }, unknown>((tx, value) =>
  tx
    .deleteFrom("search_pages")
    .where("workspace_id", "=", value("workspaceId"))
    .where("page_key", ">=", value("from"))
    .where("page_key", "<=", value("last")),
);

/** `small`: it has no pages of its own. */
export type Gone = Pick<Selectable<SearchSegmentRow>, "id"> & { readonly small: number };

const segmentsOf = (db: SelectBuilder, workspaceId: string) =>
  db
    .selectFrom("search_segments")
    .select(["id", sql<number>`case when payload is null then 0 else 1 end`.as("small")])
    .where("workspace_id", "=", workspaceId)
    .limit(REMOVED_AT_ONCE);

export const endedSegments = statement<Index, Gone>((db, value) =>
  segmentsOf(db, value("workspaceId")).where("state", "in", ["building", "dead"]),
);
export const olderSegments = statement<Index & { readonly epoch: number }, Gone>((db, value) =>
  segmentsOf(db, value("workspaceId")).where("state", "=", "live").where("epoch", "<", value("epoch")),
);
