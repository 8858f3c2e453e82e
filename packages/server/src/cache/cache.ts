import { type Account, type Budget, ENTRY_BYTES, processBudget } from "./budget.ts";

interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

interface CacheOptions {
  /** The largest part of the budget that this cache may take; 1 is all of it. */
  readonly share?: number;
  readonly budget?: Budget;
}

/** A cache of values by key, within the budget of the process. */
export class Cache<T> {
  readonly #account: Account;
  #young = new Map<string, Entry<T>>();
  #old = new Map<string, Entry<T>>();

  constructor(name: string, { share = 1, budget = processBudget }: CacheOptions = {}) {
    this.#account = budget.open(name, {
      share,
      entries: () => this.#young.size + this.#old.size,
      turn: () => {
        const evicted = this.#old.size;
        this.#old = this.#young;
        this.#young = new Map();
        return evicted;
      },
    });
  }

  get(key: string): T | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#account.hits++;
      return young.value;
    }
    const old = this.#old.get(key);
    if (old === undefined) {
      this.#account.misses++;
      return undefined;
    }
    this.#account.hits++;
    this.#old.delete(key);
    this.#account.release(old.bytes, "old");
    this.#keep(key, old);
    return old.value;
  }

  /** Without counting it as a hit or a miss. */
  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  /** `bytes`: what the value takes, roughly. A value that would push out most others is not kept. */
  put(key: string, value: T, bytes: number): void {
    this.delete(key);
    this.#keep(key, { value, bytes: bytes + key.length + ENTRY_BYTES });
  }

  delete(key: string): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#young.delete(key);
      this.#account.release(young.bytes, "young");
    }
    const old = this.#old.get(key);
    if (old === undefined) return;
    this.#old.delete(key);
    this.#account.release(old.bytes, "old");
  }

  #keep(key: string, entry: Entry<T>): void {
    if (this.#account.admit(entry.bytes)) this.#young.set(key, entry);
  }
}
