import type { Database, Db } from "../../db/database.ts";
import type { Lease } from "./lease.ts";
import { insertPages } from "./locked-index.ts";
import { pageKeysOf } from "./page-key.ts";
import type { EncodedPage } from "./segment-format.ts";
import type { MergeStore, MergeSwap, PageKey, SearchReads, SegmentRow, StoredParts } from "./store-port.ts";
import { newStamp, StoredIndex } from "./stored-index.ts";

/** A rebuild has begun: the segments of a merge are no longer of use. */
export class EpochEnded extends Error {}

const none = new Uint8Array(0);
/** Pages removed in one transaction. */
const removedAtOnce = 64;

/** Merges of one workspace, each step in a transaction of its own that also renews the lease. */
export class StoredMerges implements MergeStore {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #epoch: number;
  readonly #reads: StoredIndex;

  /** `epoch` is the current one; when it ends, what was begun in it is given up. */
  constructor(database: Database, lease: Lease, epoch: number) {
    this.#database = database;
    this.#lease = lease;
    this.#epoch = epoch;
    this.#reads = new StoredIndex(database.read, lease.workspaceId);
  }

  readSegments(): Promise<SegmentRow[]> {
    return new StoredIndex(this.#database.read, this.#lease.workspaceId).readSegments();
  }

  readParts(segment: number): Promise<StoredParts> {
    return this.#reads.readParts(segment);
  }

  readPages(keys: readonly PageKey[]): Promise<Uint8Array[]> {
    return this.#reads.readPages(keys);
  }

  async beginMerge(): Promise<number> {
    const row = {
      workspace_id: this.#lease.workspaceId,
      epoch: this.#epoch,
      state: "building",
      stamp: newStamp(),
      ...{ level: 0, base: 0, last: 0, blocks: 0, term_pages: 0, dead: 0 },
      ...{ removed: none, tombstones: none, runs: none, payload: null },
    } as const;
    const { id } = await this.#step((tx) =>
      tx.insertInto("search_segments").values(row).returning("id").executeTakeFirstOrThrow(),
    );
    return id;
  }

  async writePages(segment: number, pages: readonly EncodedPage[]): Promise<void> {
    await this.#step((tx) => insertPages(tx, this.#lease.workspaceId, segment, pages));
  }

  async swapMerged(
    decide: (reads: Pick<SearchReads, "readSegments" | "readParts">) => Promise<MergeSwap>,
  ): Promise<void> {
    await this.#step(async (tx) => {
      const reads = new StoredIndex(tx, this.#lease.workspaceId);
      if ((await reads.readCounters()).epoch !== this.#epoch) throw new EpochEnded();
      await this.#apply(tx, await decide(reads));
    });
  }

  async #apply(tx: Db, { removedIds, levelZero, merged, tombstones }: MergeSwap): Promise<void> {
    const segments = () => tx.updateTable("search_segments").where("workspace_id", "=", this.#lease.workspaceId);
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
    if (levelZero === 0) return;
    await tx
      .updateTable("search_counters")
      .set((eb) => ({ level_zero: eb("level_zero", "-", levelZero) }))
      .where("workspace_id", "=", this.#lease.workspaceId)
      .where("epoch", "=", this.#epoch)
      .execute();
  }

  /**
   * Removes a little of what no reader can see any more: segments that were merged, that a crash left half made, or
   * that are of an older epoch. False when nothing was left. `busy` are being made now.
   */
  async removeSome(busy: ReadonlySet<number>): Promise<boolean> {
    const gone = (await this.#listGone()).find((id) => !busy.has(id));
    if (gone === undefined) return false;
    const { from, to } = pageKeysOf(gone);
    await this.#step(async (tx) => {
      const keys = await tx
        .selectFrom("search_pages")
        .select("page_key")
        .where("workspace_id", "=", this.#lease.workspaceId)
        .where("page_key", ">=", from)
        .where("page_key", "<", to)
        .orderBy("page_key")
        .limit(removedAtOnce)
        .execute();
      const last = keys.at(-1)?.page_key;
      if (last !== undefined)
        await tx
          .deleteFrom("search_pages")
          .where("workspace_id", "=", this.#lease.workspaceId)
          .where("page_key", ">=", from)
          .where("page_key", "<=", last)
          .execute();
      if (keys.length === removedAtOnce) return;
      await tx
        .deleteFrom("search_segments")
        .where("workspace_id", "=", this.#lease.workspaceId)
        .where("id", "=", gone)
        .execute();
    });
    return true;
  }

  async #listGone(): Promise<number[]> {
    const segments = () =>
      this.#database.read
        .selectFrom("search_segments")
        .select("id")
        .where("workspace_id", "=", this.#lease.workspaceId);
    const ended = await segments().where("state", "in", ["building", "dead"]).limit(8).execute();
    const old = await segments().where("state", "=", "live").where("epoch", "<", this.#epoch).limit(8).execute();
    return [...ended, ...old].map((row) => row.id);
  }

  #step<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (tx) => {
      await this.#lease.hold(tx);
      return work(tx);
    });
  }
}
