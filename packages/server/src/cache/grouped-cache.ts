import { type Account, ENTRY_BYTES, processBudget } from "./budget.ts";
import type { CacheOptions } from "./entries.ts";

type Groups<T> = Map<number, Map<string, T>>;

/**
 * A cache of values by a number and a key. It finds a value without joining the two into one text, for callers that
 * look up many values in a row.
 */
export class GroupedCache<T> {
  readonly #account: Account;
  readonly #bytesOf: (value: T) => number;
  #young: Groups<T> = new Map();
  #old: Groups<T> = new Map();

  constructor(name: string, bytesOf: (value: T) => number, { share = 1, budget = processBudget }: CacheOptions = {}) {
    this.#bytesOf = bytesOf;
    this.#account = budget.open(name, {
      share,
      entries: () => countEntries(this.#young) + countEntries(this.#old),
      turn: () => {
        const evicted = countEntries(this.#old);
        this.#old = this.#young;
        this.#young = new Map();
        return evicted;
      },
    });
  }

  get(group: number, key: string): T | undefined {
    const young = this.#young.get(group)?.get(key);
    if (young !== undefined) {
      this.#account.hits++;
      return young;
    }
    const old = this.#old.get(group)?.get(key);
    if (old === undefined) {
      this.#account.misses++;
      return undefined;
    }
    this.#account.hits++;
    this.put(group, key, old);
    return old;
  }

  put(group: number, key: string, value: T): void {
    this.delete(group, key);
    if (!this.#account.admit(this.#cost(value))) return;
    const values = this.#young.get(group);
    if (values) values.set(key, value);
    else this.#young.set(group, new Map([[key, value]]));
  }

  delete(group: number, key: string): void {
    this.#remove(this.#young, "young", group, key);
    this.#remove(this.#old, "old", group, key);
  }

  /** Empties it, because nothing in it is valid any more. */
  clear(): void {
    if (this.#young.size + this.#old.size === 0) return;
    this.#young = new Map();
    this.#old = new Map();
    this.#account.clear();
  }

  #remove(groups: Groups<T>, generation: "young" | "old", group: number, key: string): void {
    const values = groups.get(group);
    const value = values?.get(key);
    if (values === undefined || value === undefined) return;
    values.delete(key);
    this.#account.release(this.#cost(value), generation);
  }

  /** Always the same for a value, because values do not change. */
  #cost(value: T): number {
    return this.#bytesOf(value) + ENTRY_BYTES;
  }
}

function countEntries(groups: Groups<unknown>): number {
  let count = 0;
  for (const values of groups.values()) count += values.size;
  return count;
}
