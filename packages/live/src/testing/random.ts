import { defined } from "@svc/document/defined";
/** A small seeded generator, so that a history can be repeated. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { below, chance: (p) => next() < p, pick: (items) => defined(items[below(items.length)]) };
}

export interface Random {
  below(n: number): number;
  chance(p: number): boolean;
  pick<T>(items: readonly T[]): T;
}
