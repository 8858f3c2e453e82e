/** Numbers that look random and are the same in every run: each below what is asked. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** True in so many of a hundred cases. */
export const chance = (random: Random, percent: number): boolean => random(100) < percent;

/** A whole number from the environment, for longer runs than the suite's. */
export const fromEnvironment = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
