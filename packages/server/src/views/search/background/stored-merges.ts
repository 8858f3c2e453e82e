import { defined } from "@svc/document/defined";
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
import type { Lease } from "../../../background/lease.ts";
import type { Database, Tx } from "../../../db/database.ts";
import { newStamp, StoredIndex } from "../read/stored-index.ts";
import { insertPages } from "../write/segment-pages.ts";
import {
  beginSegment,
  countMerged,
  deletePages,
  deleteSegments,
  deleteSmall,
  endedSegments,
  endSegments,
  firstPages,
  type Gone,
  olderSegments,
  REMOVED_AT_ONCE,
  setTombstones,
  showMerged,
} from "./merge-statements.ts";

/** A rebuild has begun, so the segments of a merge are useless. */
export class EpochEnded extends Error {}

/** The merges of one workspace. Each step runs in its own transaction, which fails when the lease is lost. */
export class StoredMerges implements MergeStore {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #workspaceId: string;
  readonly #epoch: number;
  readonly #reads: StoredIndex;

  /** `epoch` is the current one; when it ends, its unfinished merges are abandoned. */
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
    const [row] = await beginSegment(tx, { workspaceId: this.#workspaceId, epoch: this.#epoch, stamp: newStamp() });
    return defined(row).id;
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
    const workspaceId = this.#workspaceId;
    const deleted = await deleteSmall(tx, { workspaceId, ids: removedIds });
    // Segments with pages of their own are removed bit by bit.
    if (deleted.length < removedIds.length) await endSegments.enqueue(tx, { workspaceId, ids: removedIds });
    for (const [id, { packed, dead }] of tombstones)
      await setTombstones.enqueue(tx, { workspaceId, id, tombstones: packed, dead });
    if (merged) await showMerged.enqueue(tx, { workspaceId, ...merged });
    const change = { workspaceId, epoch: this.#epoch, levelZero, stamp: newStamp() };
    await countMerged.enqueue(tx, change);
  }

  /**
   * Removes some pages that no reader can see any more: of merged segments, of unfinished ones after a crash, or of an
   * older epoch. Returns false when nothing was left. `busy` are being made now.
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

  #deleteSegments(tx: Tx, ids: readonly number[]): Promise<void> {
    return deleteSegments.enqueue(tx, { workspaceId: this.#workspaceId, ids });
  }

  /** Returns true when none is left. */
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
