import { type Budget, processBudget, type WeakFigures } from "./budget.ts";

/**
 * Values derived from objects that never change, stored as long as the object is in memory. The owner of the object
 * accounts for the bytes; most owners are caches, whose estimates include them.
 */
export class WeakCache<K extends object, T extends string | number | object> {
  readonly #figures: WeakFigures;
  readonly #values = new WeakMap<K, T>();

  constructor(name: string, budget: Budget = processBudget) {
    this.#figures = budget.openWeak(name);
  }

  get(key: K): T | undefined {
    const cached = this.#values.get(key);
    if (cached === undefined) this.#figures.misses++;
    else this.#figures.hits++;
    return cached;
  }

  put(key: K, value: T): void {
    this.#values.set(key, value);
  }

  getOrMake(key: K, make: (key: K) => T): T {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const made = make(key);
    this.#values.set(key, made);
    return made;
  }
}
