import { pageKeysOf } from "@svc/search/segment/page-key";
import type { EncodedPage } from "@svc/search/segment/segment-format";
import {
  type MergeStore,
  type MergeSwap,
  NO_SEGMENT,
  type PageKey,
  type SegmentRow,
  type StoredParts,
} from "@svc/search/segment/store-port";
import { type Selectable, sql } from "kysely";
import type { Lease } from "../../../background/lease.ts";
import type { Database, SelectBuilder, Tx } from "../../../db/database.ts";
import type { SearchSegmentRow } from "../../../db/schema/tables/search.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { statement } from "../../../db/statement/statement.ts";
import { newStamp, StoredIndex } from "../read/stored-index.ts";
import { insertPages } from "../write/segment-pages.ts";

/** A rebuild has begun: the segments of a merge are no longer of use. */
export class EpochEnded extends Error {}

const none = new Uint8Array(0);
/** Pages or small segments removed in one transaction: about a millisecond. A commit takes longer than most of them. */
const REMOVED_AT_ONCE = 256;

interface PageRange {
  readonly workspaceId: string;
  readonly from: number;
}

const firstPages = statement<PageRange & { readonly to: number }, Pick<Tables["search_pages"], "page_key">>(
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

const deletePages = statement<PageRange & { readonly last: number }, unknown>((tx, value) =>
  tx
    .deleteFrom("search_pages")
    .where("workspace_id", "=", value("workspaceId"))
    .where("page_key", ">=", value("from"))
    .where("page_key", "<=", value("last")),
);

/** `small`: it has no pages of its own. */
type Gone = Pick<Selectable<SearchSegmentRow>, "id"> & { readonly small: number };

const segmentsOf = (db: SelectBuilder, workspaceId: string) =>
  db
    .selectFrom("search_segments")
    .select(["id", sql<number>`case when payload is null then 0 else 1 end`.as("small")])
    .where("workspace_id", "=", workspaceId)
    .limit(REMOVED_AT_ONCE);

const endedSegments = statement<{ workspaceId: string }, Gone>((db, value) =>
  segmentsOf(db, value("workspaceId")).where("state", "in", ["building", "dead"]),
);
const olderSegments = statement<{ workspaceId: string; epoch: number }, Gone>((db, value) =>
  segmentsOf(db, value("workspaceId")).where("state", "=", "live").where("epoch", "<", value("epoch")),
);

/** Merges of one workspace, each step in a transaction of its own that fails when the lease is lost. */
export class StoredMerges implements MergeStore {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #workspaceId: string;
  readonly #epoch: number;
  readonly #reads: StoredIndex;

  /** `epoch` is the current one; when it ends, what was begun in it is given up. */
  constructor(database: Database, lease: Lease, workspaceId: string, epoch: number) {
    this.#database = database;
    this.#lease = lease;
    this.#workspaceId = workspaceId;
    this.#epoch = epoch;
    this.#reads = new StoredIndex(database.read, workspaceId);
  }

  readSegments(): Promise<SegmentRow[]> {
    return new StoredIndex(this.#database.read, this.#workspaceId).readSegments();
  }

  readParts(segment: number): Promise<StoredParts> {
    return this.#reads.readParts(segment);
  }

  readPages(keys: readonly PageKey[]): Promise<Uint8Array[]> {
    return this.#reads.readPages(keys);
  }

  beginMerge(): Promise<number> {
    return this.#step((tx) => this.#begin(tx));
  }

  async #begin(tx: Tx): Promise<number> {
    const row = {
      workspace_id: this.#workspaceId,
      epoch: this.#epoch,
      state: "building",
      stamp: newStamp(),
      ...{ level: 0, base: 0, last: 0, blocks: 0, term_pages: 0, dead: 0 },
      ...{ removed: none, tombstones: none, runs: none, payload: null },
    } as const;
    const { id } = await tx.insertInto("search_segments").values(row).returning("id").executeTakeFirstOrThrow();
    return id;
  }

  async writePages(segment: number, pages: readonly EncodedPage[]): Promise<void> {
    await this.#step((tx) => insertPages(tx, this.#workspaceId, segment, pages));
  }

  swapMerged: MergeStore["swapMerged"] = async ({ id, pages }, decide) => {
    await this.#step(async (tx) => {
      const reads = new StoredIndex(tx, this.#workspaceId);
      if ((await reads.readCounters()).epoch !== this.#epoch) throw new EpochEnded();
      const made = id ?? (pages.length > 0 ? await this.#begin(tx) : NO_SEGMENT);
      await insertPages(tx, this.#workspaceId, made, pages);
      await this.#apply(tx, await decide(reads, made));
    });
  };

  async #apply(tx: Tx, { removedIds, levelZero, merged, tombstones }: MergeSwap): Promise<void> {
    const segments = () => tx.updateTable("search_segments").where("workspace_id", "=", this.#workspaceId);
    const { numDeletedRows } = await tx
      .deleteFrom("search_segments")
      .where("workspace_id", "=", this.#workspaceId)
      .where("id", "in", removedIds)
      .where("payload", "is not", null)
      .executeTakeFirst();
    // Those with pages of their own are removed bit by bit.
    if (Number(numDeletedRows) < removedIds.length)
      await segments().set({ state: "dead" }).where("id", "in", removedIds).execute();
    for (const [id, { packed, dead }] of tombstones)
      await segments().set({ tombstones: packed, dead }).where("id", "=", id).execute();
    if (merged) {
      const { id, termPages, ...values } = merged;
      await segments()
        .set({ ...values, term_pages: termPages, state: "live" })
        .where("id", "=", id)
        .execute();
    }
    await tx
      .updateTable("search_counters")
      .set((eb) => ({ level_zero: eb("level_zero", "-", levelZero), stamp: newStamp() }))
      .where("workspace_id", "=", this.#workspaceId)
      .where("epoch", "=", this.#epoch)
      .execute();
  }

  /**
   * Removes a little of what no reader can see any more: segments that were merged, that a crash left half made, or
   * that are of an older epoch. False when nothing was left. `busy` are being made now.
   */
  async removeSome(busy: ReadonlySet<number>): Promise<boolean> {
    const gone = (await this.#listGone()).filter(({ id }) => !busy.has(id));
    const [first] = gone;
    if (!first) return false;
    const small = gone.filter(({ small }) => small === 1).map(({ id }) => id);
    await this.#step(async (tx) => {
      if (small.length > 0) await this.#deleteSegments(tx, small);
      else if (await this.#deletePages(tx, first.id)) await this.#deleteSegments(tx, [first.id]);
    });
    return true;
  }

  async #deleteSegments(tx: Tx, ids: readonly number[]): Promise<void> {
    await tx
      .deleteFrom("search_segments")
      .where("workspace_id", "=", this.#workspaceId)
      .where("id", "in", ids)
      .execute();
  }

  /** True when none is left. */
  async #deletePages(tx: Tx, segment: number): Promise<boolean> {
    const { from, to } = pageKeysOf(segment);
    const keys = await firstPages(tx, { workspaceId: this.#workspaceId, from, to });
    const last = keys.at(-1)?.page_key;
    if (last !== undefined) await deletePages.enqueue(tx, { workspaceId: this.#workspaceId, from, last });
    return keys.length < REMOVED_AT_ONCE;
  }

  async #listGone(): Promise<Gone[]> {
    const { read } = this.#database;
    const ended = await endedSegments(read, { workspaceId: this.#workspaceId });
    return [...ended, ...(await olderSegments(read, { workspaceId: this.#workspaceId, epoch: this.#epoch }))];
  }

  #step<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (tx) => {
      await this.#lease.hold(tx);
      return work(tx);
    });
  }
}
