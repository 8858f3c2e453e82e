import { fromUtf8, writeUtf8 } from "./bytes.ts";
import { keptLength } from "./kept-strings.ts";
import { maxTermBytes } from "./segment-format.ts";
import { headOfBytes } from "./term-order.ts";

/** More than a language uses every day; about two megabytes. */
const enoughTerms = 1 << 15;

/** Terms by number, with their bytes. Texts use the same words over and over: most are there from earlier ones. */
export class KnownTerms {
  readonly #numbers = new Map<string, number>();
  /** The terms' bytes, one behind the other. */
  bytes = new Uint8Array(enoughTerms * 8);
  /** Where each term begins, and where the next will. */
  starts = new Uint32Array(enoughTerms + 1);
  /** The first bytes of each as a number in the same order. */
  heads = new Float64Array(enoughTerms);
  /** A number for each that is the user's own; 0 at first. */
  counts = new Uint32Array(enoughTerms);

  get size(): number {
    return this.#numbers.size;
  }

  numberOf(term: string): number {
    return this.#numbers.get(term) ?? this.#add(term);
  }

  /** Forgets all terms if there are too many; their numbers are void then. */
  trim(): void {
    if (this.size <= enoughTerms) return;
    this.#numbers.clear();
    this.bytes = new Uint8Array(enoughTerms * 8);
    this.starts = new Uint32Array(enoughTerms + 1);
    this.heads = new Float64Array(enoughTerms);
    this.counts = new Uint32Array(enoughTerms);
  }

  #add(term: string): number {
    const number = this.size;
    if (number === this.heads.length) this.#grow();
    const start = this.starts[number]!;
    if (start + maxTermBytes > this.bytes.length) this.bytes = doubled(this.bytes);
    const end = start + writeUtf8(term, this.bytes, start);
    this.starts[number + 1] = end;
    this.heads[number] = headOfBytes(this.bytes, start, end);
    // A long part of a text would keep the whole text in memory.
    this.#numbers.set(term.length > keptLength ? fromUtf8(this.bytes.subarray(start, end)) : term, number);
    return number;
  }

  #grow(): void {
    this.starts = doubled(this.starts);
    this.heads = doubled(this.heads);
    this.counts = doubled(this.counts);
  }
}

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export function doubled<List extends Numbers>(list: List): List {
  const copy = new (list.constructor as new (length: number) => List)(list.length * 2);
  copy.set(list);
  return copy;
}
