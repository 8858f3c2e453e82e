import { totalmem } from "node:os";

/** Bytes of what surrounds a value: its entry, its place in a map, its key. */
export const ENTRY_BYTES = 128;

const MEBIBYTE = 1024 * 1024;
/** What a whole server takes with it stands in docs/performance.md. */
const MAX_DEFAULT_BYTES = 96 * MEBIBYTE;

/** Bytes that this process and `processes - 1` others like it may use together: the container's limit or the machine's. */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The budget of one process when no setting gives it: a quarter of the memory, shared by all workers, at most 96 MiB. */
export const defaultBudget = (workers: number, memory = usableMemory()): number =>
  Math.min(MAX_DEFAULT_BYTES, Math.floor(memory / 4 / workers));

/** What a cache hands to its budget. */
interface Generations {
  /** Forgets the old entries and makes the young ones old. Answers how many entries it forgot. */
  readonly turn: () => number;
  readonly entries: () => number;
  /** The largest part of the budget that this cache may take; 1 is all of it. */
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
 * What one cache takes of a budget. Entries are young (put or asked for since the last turn) or old. A hit on a young
 * entry moves nothing, so it costs one look-up.
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

  /** Bytes of the largest entry that is kept: a larger one would push out most others. */
  get largest(): number {
    return (this.#budget.bytes * (this.#generations.share ?? 1)) / 4;
  }

  /** Counts a young entry of so many bytes, after making room for it. False when it is too large to be kept. */
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

  /** Evicts what was not asked for since the turn before. */
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
 * The bytes that all caches together may take. Young entries take at most half of them, so that old ones are still
 * there to be asked for. When the young half is full, or all of it, every cache evicts what nobody asked for.
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

  /** Evicts at once what no longer fits. */
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
