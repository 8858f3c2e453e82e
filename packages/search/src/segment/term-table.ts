import { writeUtf8 } from "./bytes.ts";
import { MAX_TERM_BYTES } from "./segment-format.ts";
import { headOfBytes } from "./term-order.ts";

/** The initial capacity; a power of two. */
export const USUAL_TERMS = 1 << 12;
/** The number of slots that are tried for a term. */
const MAX_STEPS = 32;

/**
 * Different terms, numbered from 0 in order of arrival, with their bytes. All data is close together: a cache of the
 * words of all texts, or a map of strings, spends more time on memory access than everything else takes.
 */
export class TermTable {
  size = 0;
  /** The concatenated bytes of the terms. */
  bytes = new Uint8Array(USUAL_TERMS * 8);
  /** The start of each term, and of the next one to be added. */
  starts = new Uint32Array(USUAL_TERMS + 1);
  /** The first bytes of each term as a number in the same order. */
  heads = new Float64Array(USUAL_TERMS);
  /** A number for each term, for the caller's use; 0 at first. */
  counts = new Uint32Array(USUAL_TERMS);
  #terms: string[] = [];
  /** By hash, or in a following slot if that is taken: a term's number plus 1, 0 for none. */
  #slots = new Uint32Array(USUAL_TERMS * 2);
  /** Terms that found no free slot: somebody may choose words for their hash. */
  readonly #crowded = new Map<string, number>();

  numberOf(term: string): number {
    const at = this.#slotOf(term);
    if (at < 0) return this.#crowded.get(term) ?? this.#add(term, at);
    const found = this.#slots[at]! - 1;
    return found < 0 ? this.#add(term, at) : found;
  }

  /** Removes all terms. */
  clear(): void {
    this.counts.fill(0, 0, this.size);
    this.#slots.fill(0);
    this.#crowded.clear();
    this.#terms = [];
    this.size = 0;
  }

  /** The slot of the term or a free one for it; -1 if there is none. */
  #slotOf(term: string): number {
    const slots = this.#slots;
    const hash = hashOf(term);
    for (let step = 0; step < MAX_STEPS; step++) {
      const at = (hash + step) & (slots.length - 1);
      if (slots[at] === 0 || this.#terms[slots[at]! - 1] === term) return at;
    }
    return -1;
  }

  #put(term: string, number: number, slot: number): void {
    if (slot < 0) this.#crowded.set(term, number);
    else this.#slots[slot] = number + 1;
  }

  #add(term: string, slot: number): number {
    const number = this.size++;
    const start = this.starts[number]!;
    if (start + MAX_TERM_BYTES > this.bytes.length) this.bytes = doubled(this.bytes);
    const end = start + writeUtf8(term, this.bytes, start);
    this.starts[number + 1] = end;
    this.heads[number] = headOfBytes(this.bytes, start, end);
    this.#terms.push(term);
    this.#put(term, number, slot);
    if (this.size === this.heads.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.starts = doubled(this.starts);
    this.heads = doubled(this.heads);
    this.counts = doubled(this.counts);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.#crowded.clear();
    for (const [number, term] of this.#terms.entries()) this.#put(term, number, this.#slotOf(term));
  }
}

/** FNV-1a. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export function doubled<List extends Numbers>(list: List): List {
  const copy = new (list.constructor as new (length: number) => List)(list.length * 2);
  copy.set(list);
  return copy;
}
