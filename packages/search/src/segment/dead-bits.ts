/** Numbers that are gone, a bit each: looked up in the same time however many there are. */
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

  /** 1 for a number that is gone, else 0: to be added up without a branch, which the processor would often mispredict. */
  has(number: number): number {
    const bit = number - this.#first;
    const word = bit >>> 5;
    return bit >= 0 && word < this.#bits.length ? (this.#bits[word]! >>> (bit & 31)) & 1 : 0;
  }
}
