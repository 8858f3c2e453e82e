import { firstTermOf } from "../payload.ts";
import { pageName } from "../segment-cache.ts";
import type { EncodedPage, PageKind } from "../segment-format.ts";
import type {
  BlockRow,
  CounterChange,
  Counters,
  MergeSwap,
  NewSegment,
  SearchStore,
  SegmentRow,
} from "../store-port.ts";
import { tokenizerVersion } from "../tokenizer.ts";

/** The storage port in memory, for tests and measurements. */
export class MemoryStore implements SearchStore {
  counters: Counters = { epoch: 1, tokenizerVersion, blocks: 0, totalLength: 0, nextNumber: 1 };
  rows: SegmentRow[] = [];
  readonly blocks = new Map<number, BlockRow>();
  readonly pages = new Map<number, Map<string, Uint8Array>>();
  private nextId = 1;

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

  async readSegments(): Promise<readonly SegmentRow[]> {
    return this.rows;
  }

  async insertSegment({ pages, ...row }: NewSegment): Promise<void> {
    const id = this.nextId++;
    this.insertRow({ ...row, id });
    await this.writePages(id, pages);
  }

  async readDirectory(segment: number): Promise<readonly string[]> {
    const row = this.rows.find(({ id }) => id === segment)!;
    return Array.from({ length: row.termPages }, (_, number) => firstTermOf(this.page(segment, "terms", number)));
  }

  async readPages(keys: readonly { segment: number; kind: PageKind; number: number }[]): Promise<Uint8Array[]> {
    return keys.map(({ segment, kind, number }) => this.page(segment, kind, number));
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
    return this.nextId++;
  }

  async writePages(segment: number, pages: readonly EncodedPage[]): Promise<void> {
    const kept = this.pages.get(segment) ?? new Map<string, Uint8Array>();
    for (const { kind, number, bytes } of pages) kept.set(pageName(kind, number), bytes);
    this.pages.set(segment, kept);
  }

  async swapMerged({ removedIds, merged, tombstones }: MergeSwap): Promise<void> {
    this.rows = this.rows.filter((row) => !removedIds.includes(row.id));
    for (const id of removedIds) this.pages.delete(id);
    this.rows = this.rows.map((row) => ({ ...row, tombstones: tombstones.get(row.id) ?? row.tombstones }));
    if (merged) this.insertRow({ ...merged.row, id: merged.id, payload: null });
  }

  private insertRow(row: SegmentRow): void {
    this.rows = [...this.rows, row].sort((a, b) => a.base - b.base || a.id - b.id);
  }

  private page(segment: number, kind: PageKind, number: number): Uint8Array {
    const page = this.pages.get(segment)?.get(pageName(kind, number));
    if (!page) throw new Error(`No page ${segment}/${kind}/${number}.`);
    return page;
  }
}
