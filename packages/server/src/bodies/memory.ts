/** A bounded memory of values that never change under their key: the least recently used goes first. */
export class Memory<T> {
  readonly #values = new Map<string, { readonly value: T; readonly cost: number }>();
  readonly #most: number;
  #cost = 0;

  /** `most` is in the unit of `cost`, about bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const entry = this.#values.get(key);
    if (!entry) return undefined;
    this.#values.delete(key);
    this.#values.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, cost: number): void {
    const known = this.#values.get(key);
    if (known) {
      this.#cost -= known.cost;
      this.#values.delete(key);
    }
    // One that would push most others out is not worth it.
    if (cost > this.#most / 2) return;
    this.#values.set(key, { value, cost });
    this.#cost += cost;
    for (const [oldest, entry] of this.#values) {
      if (this.#cost <= this.#most) break;
      this.#values.delete(oldest);
      this.#cost -= entry.cost;
    }
  }
}
