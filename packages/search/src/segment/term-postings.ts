import { advance, appendEntry, PostingList } from "./posting-list.ts";
import { PAGE_SIZE } from "./segment-format.ts";
import type { Entry } from "./segment-reader.ts";
import type { PageKey } from "./store-port.ts";

/**
 * All postings of a term in one segment, including those of dead blocks, and the locations of their positions. Never
 * changes.
 */
export class TermPostings {
  readonly entries: readonly Entry[];
  readonly list: PostingList;
  /** Index in `list` of each entry's first posting, and its size at the end. */
  readonly starts: Uint32Array;

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    this.list = new PostingList(countOf(entries));
    this.starts = new Uint32Array(entries.length + 1);
    for (const [i, entry] of entries.entries()) {
      appendEntry(this.list, entry);
      this.starts[i + 1] = this.list.size;
    }
  }

  /** Position pages of the entries that may contain a candidate (ascending). */
  positionPages(segment: number, candidates: PostingList): PageKey[] {
    const keys: PageKey[] = [];
    let at = 0;
    for (const entry of this.entries) {
      at = advance(candidates.numbers, candidates.size, at, entry.first);
      if (at >= candidates.size) break;
      if (entry.isInline || candidates.numbers[at]! > entry.last) continue;
      const to = Math.ceil((entry.positionsAt + entry.positionsLength) / PAGE_SIZE);
      for (let number = Math.floor(entry.positionsAt / PAGE_SIZE); number < to; number++) {
        keys.push({ segment, kind: "positions", number });
      }
    }
    return keys;
  }
}

export const countOf = (entries: readonly Entry[]): number => entries.reduce((sum, { count }) => sum + count, 0);
