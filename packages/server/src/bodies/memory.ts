interface Kept<T> {
  readonly value: T;
  readonly cost: number;
}

/**
 * A bounded memory of values that never change under their key. What was not asked for while half of the room was filled
 * anew is forgotten: a hit costs one look-up and moves nothing.
 */
export class Memory<T> {
  readonly #half: number;
  /** Set or asked for lately; each half has at most half of the room. */
  #young = new Map<string, Kept<T>>();
  #old: ReadonlyMap<string, Kept<T>> = new Map();
  /** Of the young. */
  #cost = 0;

  /** `most` is in the unit of `cost`, about bytes. */
  constructor(most: number) {
    this.#half = most / 2;
  }

  get(key: string): T | undefined {
    const young = this.#young.get(key);
    if (young) return young.value;
    const old = this.#old.get(key);
    if (old) this.#keep(key, old);
    return old?.value;
  }

  set(key: string, value: T, cost: number): void {
    const known = this.#young.get(key);
    if (known) {
      this.#cost -= known.cost;
      this.#young.delete(key);
    }
    this.#keep(key, { value, cost });
  }

  #keep(key: string, entry: Kept<T>): void {
    // One that would push most others out is not worth it.
    if (entry.cost > this.#half) return;
    if (this.#cost + entry.cost > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#cost = 0;
    }
    this.#young.set(key, entry);
    this.#cost += entry.cost;
  }
}
