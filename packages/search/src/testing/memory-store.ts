import { defined } from "@svc/document/defined";
import { emptyIndex } from "../segment/empty-index.ts";
import { firstTermOf } from "../segment/payload.ts";
import { pageName } from "../segment/segment-cache.ts";
import type { EncodedPage, PageKind } from "../segment/segment-format.ts";
import {
  type CounterChange,
  type Counters,
  type MergeStore,
  type MergeSwap,
  type NewSegment,
  NO_SEGMENT,
  type PageKey,
  type SearchReads,
  type SegmentRow,
  type StoredParts,
} from "../segment/store-port.ts";

const none = new Uint8Array(0);

type BlockRow = {
  readonly number: number;
  readonly document: number;
  /** Null for the title. */
  readonly blockId: string | null;
  readonly length: number;
};

/** The storage port in memory, for tests and measurements. */
export class MemoryStore implements SearchReads, MergeStore {
  readonly workspaceId = "memory";
  counters: Counters = emptyIndex;
  rows: (SegmentRow & StoredParts)[] = [];
  readonly blocks = new Map<number, BlockRow>();
  readonly pages = new Map<number, Map<string, Uint8Array>>();
  #nextId = 1;

  async readCounters(): Promise<Counters> {
    return this.counters;
  }

  async changeCounters({ blocks, length, nextNumber }: CounterChange): Promise<void> {
    const { counters } = this;
    this.counters = {
      ...counters,
      blocks: counters.blocks + blocks,
      totalLength: counters.totalLength + length,
      nextNumber,
    };
  }

  async readHidden(): Promise<readonly number[]> {
    return [];
  }

  async readSegments(): Promise<readonly SegmentRow[]> {
    return this.rows;
  }

  async readParts(segment: number): Promise<StoredParts> {
    return defined(this.rows.find(({ id }) => id === segment));
  }

  async insertSegment({ pages, ...row }: NewSegment): Promise<void> {
    const id = this.#nextId++;
    this.#insertRow({ ...row, id, stamp: id, dead: 0, tombstones: none });
    await this.writePages(id, pages);
    this.#renewStamp();
  }

  async readDirectory(segment: number): Promise<readonly string[]> {
    const row = defined(this.rows.find(({ id }) => id === segment));
    return Array.from({ length: row.termPages }, (_, number) => firstTermOf(this.#page(segment, "terms", number)));
  }

  async readPages(keys: readonly PageKey[]): Promise<Uint8Array[]> {
    return keys.map(({ segment, kind, number }) => this.#page(segment, kind, number));
  }

  async insertBlocks(blocks: readonly BlockRow[]): Promise<void> {
    for (const block of blocks) this.blocks.set(block.number, block);
  }

  async deleteBlocks(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) this.blocks.delete(number);
  }

  async findBlocks(numbers: readonly number[]): Promise<BlockRow[]> {
    return numbers.flatMap((number) => this.blocks.get(number) ?? []);
  }

  async beginMerge(): Promise<number> {
    return this.#nextId++;
  }

  async writePages(segment: number, pages: readonly EncodedPage[]): Promise<void> {
    const kept = this.pages.get(segment) ?? new Map<string, Uint8Array>();
    for (const { kind, number, bytes } of pages) kept.set(pageName(kind, number), bytes);
    this.pages.set(segment, kept);
  }

  async swapMerged(
    { id, pages }: { id: number | undefined; pages: readonly EncodedPage[] },
    decide: (reads: this, id: number) => Promise<MergeSwap>,
  ): Promise<void> {
    const made = id ?? (pages.length > 0 ? await this.beginMerge() : NO_SEGMENT);
    if (pages.length > 0) await this.writePages(made, pages);
    const { removedIds, merged, tombstones } = await decide(this, made);
    this.rows = this.rows
      .filter((row) => !removedIds.includes(row.id))
      .map((row) => {
        const carried = tombstones.get(row.id);
        return carried ? { ...row, tombstones: carried.packed, dead: carried.dead } : row;
      });
    for (const id of removedIds) this.pages.delete(id);
    if (merged) this.#insertRow({ ...merged, stamp: merged.id, removed: none, payload: null });
    this.#renewStamp();
  }

  #renewStamp(): void {
    this.counters = { ...this.counters, stamp: this.counters.stamp + 1 };
  }

  #insertRow(row: SegmentRow & StoredParts): void {
    this.rows = [...this.rows, row].sort((a, b) => a.base - b.base || a.id - b.id);
  }

  #page(segment: number, kind: PageKind, number: number): Uint8Array {
    const page = this.pages.get(segment)?.get(pageName(kind, number));
    if (!page) throw new Error(`No page ${segment}/${kind}/${number}.`);
    return page;
  }
}
