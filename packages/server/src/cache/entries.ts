import { type Account, type Budget, processBudget } from "./budget.ts";

export interface CacheOptions {
  /** The largest share of the budget that this cache may take; 1 is all of it. */
  readonly share?: number;
  readonly budget?: Budget;
}

/** The entries of a cache by key, in the two generations of budget.ts. */
export class Entries<Entry> {
  readonly account: Account;
  young = new Map<string, Entry>();
  old = new Map<string, Entry>();

  /** `turned` is called whenever the young entries have become old ones. */
  constructor(name: string, { share = 1, budget = processBudget }: CacheOptions, turned?: () => void) {
    this.account = budget.open(name, {
      share,
      entries: () => this.young.size + this.old.size,
      turn: () => {
        const evicted = this.old.size;
        this.old = this.young;
        this.young = new Map();
        turned?.();
        return evicted;
      },
    });
  }
}
