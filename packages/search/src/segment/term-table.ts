import { writeUtf8 } from "./bytes.ts";
import { MAX_TERM_BYTES } from "./segment-format.ts";
import { headOfBytes } from "./term-order.ts";

/** As many as there is room for at first; a power of two. */
export const USUAL_TERMS = 1 << 12;
/** Places that are looked at for a term. */
const MOST_STEPS = 32;

/**
 * Different terms, numbered from 0 in the order in which they came, with their bytes. All of it lies close together: a
 * memory of the words of all texts, or a map of strings, spends more time waiting for memory than all else takes.
 */
export class TermTable {
  size = 0;
  /** The terms' bytes, one behind the other. */
  bytes = new Uint8Array(USUAL_TERMS * 8);
  /** Where each term begins, and where the next will. */
  starts = new Uint32Array(USUAL_TERMS + 1);
  /** The first bytes of each as a number in the same order. */
  heads = new Float64Array(USUAL_TERMS);
  /** A number for each that is the user's own; 0 at first. */
  counts = new Uint32Array(USUAL_TERMS);
  #terms: string[] = [];
  /** By hash, or soon after where that is taken: 1 more than a term's number, 0 for none. */
  #places = new Uint32Array(USUAL_TERMS * 2);
  /** Terms that found no place: somebody may choose words for their hash. */
  readonly #crowded = new Map<string, number>();

  numberOf(term: string): number {
    const at = this.#placeOf(term);
    if (at < 0) return this.#crowded.get(term) ?? this.#add(term, at);
    const found = this.#places[at]! - 1;
    return found < 0 ? this.#add(term, at) : found;
  }

  /** Forgets all terms. */
  clear(): void {
    this.counts.fill(0, 0, this.size);
    this.#places.fill(0);
    this.#crowded.clear();
    this.#terms = [];
    this.size = 0;
  }

  /** Where the term is or may be put; -1 if there is no such place. */
  #placeOf(term: string): number {
    const places = this.#places;
    const hash = hashOf(term);
    for (let step = 0; step < MOST_STEPS; step++) {
      const at = (hash + step) & (places.length - 1);
      if (places[at] === 0 || this.#terms[places[at]! - 1] === term) return at;
    }
    return -1;
  }

  #put(term: string, number: number, place: number): void {
    if (place < 0) this.#crowded.set(term, number);
    else this.#places[place] = number + 1;
  }

  #add(term: string, place: number): number {
    const number = this.size++;
    const start = this.starts[number]!;
    if (start + MAX_TERM_BYTES > this.bytes.length) this.bytes = doubled(this.bytes);
    const end = start + writeUtf8(term, this.bytes, start);
    this.starts[number + 1] = end;
    this.heads[number] = headOfBytes(this.bytes, start, end);
    this.#terms.push(term);
    this.#put(term, number, place);
    if (this.size === this.heads.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.starts = doubled(this.starts);
    this.heads = doubled(this.heads);
    this.counts = doubled(this.counts);
    this.#places = new Uint32Array(this.#places.length * 2);
    this.#crowded.clear();
    for (const [number, term] of this.#terms.entries()) this.#put(term, number, this.#placeOf(term));
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
