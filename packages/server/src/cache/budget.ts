import { totalmem } from "node:os";

/** Estimated bytes around a value: its entry, its slot in a map, its key. */
export const ENTRY_BYTES = 128;

const MEBIBYTE = 1024 * 1024;
/** docs/performance.md says how much memory a whole server takes with this budget. */
const MAX_DEFAULT_BYTES = 96 * MEBIBYTE;

/**
 * Bytes that this process and `processes - 1` others like it may use together: the container's limit or the machine's
 * memory.
 */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The budget of one process if no setting gives it: a quarter of the memory, shared by all workers, at most 96 MiB. */
export const defaultBudget = (workers: number, memory = usableMemory()): number =>
  Math.min(MAX_DEFAULT_BYTES, Math.floor(memory / 4 / workers));

/** The callbacks of a cache for its budget. */
interface Generations {
  /** Drops the old entries and makes the young ones old. Returns how many entries it dropped. */
  readonly turn: () => number;
  readonly entries: () => number;
  /** The largest share of the budget that this cache may take; 1 is all of it. */
  readonly share?: number;
}

export interface CacheFigures {
  readonly name: string;
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
}

/**
 * One cache's part of a budget. Entries are young (stored or used since the last turn) or old. A hit on a young entry
 * moves nothing, so it costs one lookup.
 */
export class Account {
  readonly name: string;
  hits = 0;
  misses = 0;
  #evictions = 0;
  #young = 0;
  #old = 0;
  readonly #budget: Budget;
  readonly #generations: Generations;

  constructor(budget: Budget, name: string, generations: Generations) {
    this.name = name;
    this.#budget = budget;
    this.#generations = generations;
  }

  get young(): number {
    return this.#young;
  }

  get bytes(): number {
    return this.#young + this.#old;
  }

  /** Bytes of the largest entry that is stored: a larger one would evict most others. */
  get largest(): number {
    return (this.#budget.bytes * (this.#generations.share ?? 1)) / 4;
  }

  /** Counts a young entry of this size, after making room for it. Returns false if it is too large to be stored. */
  admit(bytes: number): boolean {
    const { largest } = this;
    if (bytes > largest) return false;
    if (this.#young + bytes > 2 * largest) this.turn();
    this.#budget.makeRoom(bytes);
    this.#young += bytes;
    this.#budget.count(bytes, bytes);
    return true;
  }

  /** Uncounts an entry that was removed or replaced. */
  release(bytes: number, generation: "young" | "old"): void {
    if (generation === "young") this.#young -= bytes;
    else this.#old -= bytes;
    this.#budget.count(-bytes, generation === "young" ? -bytes : 0);
  }

  /** Evicts the entries that were not used since the previous turn. */
  turn(): void {
    this.#evictions += this.#generations.turn();
    this.#budget.count(-this.#old, -this.#young);
    this.#old = this.#young;
    this.#young = 0;
  }

  /** Uncounts all entries. */
  clear(): void {
    this.#budget.count(-this.#old - this.#young, -this.#young);
    this.#old = 0;
    this.#young = 0;
  }

  get figures(): CacheFigures {
    const { name, bytes, hits, misses } = this;
    return { name, bytes, entries: this.#generations.entries(), hits, misses, evictions: this.#evictions };
  }
}

/** Hits and misses of a cache whose entries are collected together with the objects they belong to. */
export class WeakFigures {
  readonly name: string;
  hits = 0;
  misses = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * The bytes that all caches together may take. Young entries take at most half of them, so that old ones remain
 * available. When the young half or the whole budget is full, every cache evicts its unused entries.
 */
export class Budget {
  #bytes: number;
  #young = 0;
  #total = 0;
  readonly #accounts = new Map<string, Account>();
  readonly #weak = new Map<string, WeakFigures>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of all entries, never more than the budget. */
  get used(): number {
    return this.#total;
  }

  /** Evicts at once the entries that no longer fit. */
  resize(bytes: number): void {
    this.#bytes = bytes;
    // The first turn evicts the old entries, the second one those that were young.
    for (let turns = 0; turns < 2 && this.#total > bytes; turns++) this.#turn();
  }

  open(name: string, generations: Generations): Account {
    this.#claim(name);
    const account = new Account(this, name, generations);
    this.#accounts.set(name, account);
    return account;
  }

  openWeak(name: string): WeakFigures {
    this.#claim(name);
    const figures = new WeakFigures(name);
    this.#weak.set(name, figures);
    return figures;
  }

  makeRoom(bytes: number): void {
    if (this.#young + bytes > this.#bytes / 2 || this.#total + bytes > this.#bytes) this.#turn();
  }

  count(total: number, young: number): void {
    this.#total += total;
    this.#young += young;
  }

  figures(): CacheFigures[] {
    return [...this.#accounts.values()].map((account) => account.figures);
  }

  weakFigures(): Pick<CacheFigures, "name" | "hits" | "misses">[] {
    return [...this.#weak.values()];
  }

  #turn(): void {
    for (const account of this.#accounts.values()) account.turn();
  }

  #claim(name: string): void {
    if (this.#accounts.has(name) || this.#weak.has(name)) throw new Error(`Two caches are called ${name}.`);
  }
}

/** The budget of this process. The app sets its size from the settings. */
export const processBudget = new Budget(defaultBudget(1));
