/** Removed numbers, one bit each: a lookup takes the same time however many there are. */
export class DeadBits {
  readonly #first: number;
  readonly #bits: Uint32Array;

  /** Ascending, at least one. */
  constructor(dead: Uint32Array) {
    const first = dead[0]!;
    this.#first = first;
    this.#bits = new Uint32Array(((dead.at(-1)! - first) >>> 5) + 1);
    for (const number of dead) this.#bits[(number - first) >>> 5]! |= 1 << ((number - first) & 31);
  }

  /**
   * Returns 1 for a removed number, else 0, so that callers can add it up without a branch that the processor would
   * often mispredict.
   */
  has(number: number): number {
    const bit = number - this.#first;
    const word = bit >>> 5;
    return bit >= 0 && word < this.#bits.length ? (this.#bits[word]! >>> (bit & 31)) & 1 : 0;
  }
}
