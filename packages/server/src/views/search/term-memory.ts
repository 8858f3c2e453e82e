import type { TermPostings } from "./term-postings.ts";

/** Bytes of what surrounds a list in memory: its objects, and its part of the pages that it refers to. */
const overhead = 1024;
const postingBytes = 12;

type Terms = Map<string, TermPostings>;
type Generation = Map<number, Terms>;

/**
 * Terms that were looked up lately, by the stamp of their segment; also those that a segment does not have. Segments
 * never change, so a list is decoded once for many queries, however much is written meanwhile. When the younger half is
 * full it becomes the older one, and what was not asked for since then goes.
 */
export class TermMemory {
  private young: Generation = new Map();
  private old: Generation = new Map();
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get(stamp: number, term: string): TermPostings | undefined {
    const known = this.young.get(stamp)?.get(term);
    if (known) return known;
    const older = this.old.get(stamp)?.get(term);
    if (older) this.set(stamp, term, older);
    return older;
  }

  set(stamp: number, term: string, postings: TermPostings): void {
    const bytes = overhead + postings.list.size * postingBytes;
    if (bytes > this.maxBytes / 4) return;
    if (this.bytes + bytes > this.maxBytes / 2) {
      this.old = this.young;
      this.young = new Map();
      this.bytes = 0;
    }
    const terms = this.young.get(stamp) ?? new Map<string, TermPostings>();
    this.young.set(stamp, terms);
    terms.set(term, postings);
    this.bytes += bytes;
  }
}
