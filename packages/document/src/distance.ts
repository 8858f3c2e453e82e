import { defined } from "./defined.ts";

/** Letters to be added, removed, replaced or swapped with their neighbour to make one word of the other. */
export function distance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  let before: number[] = [];
  let row = to.map((_, index) => index).concat(to.length);
  for (const [i, letter] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries()) {
      const replaced = defined(row[j]) + (letter === other ? 0 : 1);
      let least = Math.min(replaced, defined(row[j + 1]) + 1, defined(next[j]) + 1);
      if (i > 0 && j > 0 && letter === to[j - 1] && from[i - 1] === other)
        least = Math.min(least, defined(before[j - 1]) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return defined(row.at(-1));
}
