import { ENTRY_BYTES } from "./budget.ts";
import { type CacheOptions, Entries } from "./entries.ts";

interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

/** A cache of values by key, within the budget of the process. */
export class Cache<T> {
  readonly #entries: Entries<Entry<T>>;

  constructor(name: string, options: CacheOptions = {}) {
    this.#entries = new Entries(name, options);
  }

  get(key: string): T | undefined {
    const { account, young, old } = this.#entries;
    const found = young.get(key);
    if (found !== undefined) {
      account.hits++;
      return found.value;
    }
    const aged = old.get(key);
    if (aged === undefined) {
      account.misses++;
      return undefined;
    }
    account.hits++;
    old.delete(key);
    account.release(aged.bytes, "old");
    this.#keep(key, aged);
    return aged.value;
  }

  get size(): number {
    return this.#entries.young.size + this.#entries.old.size;
  }

  /** Bytes of the largest value that is stored, including its key and its entry. */
  get largest(): number {
    return this.#entries.account.largest;
  }

  /** Does not count as a hit or a miss. */
  has(key: string): boolean {
    return this.#entries.young.has(key) || this.#entries.old.has(key);
  }

  /** `bytes`: the estimated size of the value. A value that would evict most others is not stored. */
  put(key: string, value: T, bytes: number): void {
    this.delete(key);
    this.#keep(key, { value, bytes: bytes + key.length + ENTRY_BYTES });
  }

  /** Returns the value and removes it from the cache. */
  take(key: string): T | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }

  delete(key: string): void {
    this.#deleteFrom("young", key);
    this.#deleteFrom("old", key);
  }

  #deleteFrom(generation: "young" | "old", key: string): void {
    const entry = this.#entries[generation].get(key);
    if (entry === undefined) return;
    this.#entries[generation].delete(key);
    this.#entries.account.release(entry.bytes, generation);
  }

  #keep(key: string, entry: Entry<T>): void {
    // Making room may replace the map of the young entries, so it is read afterwards.
    if (this.#entries.account.admit(entry.bytes)) this.#entries.young.set(key, entry);
  }
}
