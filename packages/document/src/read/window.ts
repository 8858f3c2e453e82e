import { defined } from "../defined.ts";
/** A part of a list of blocks, `end` not included, and what it costs. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly used_tokens: number;
  /** The window is one block that alone is larger than the budget. */
  readonly budget_exceeded: boolean;
}

/** The blocks from `start` on that fit the budget; at least one, where there is one. */
export function windowFrom(tokens: ArrayLike<number>, start: number, budget: number): Window {
  if (start >= tokens.length)
    return { start: tokens.length, end: tokens.length, used_tokens: 0, budget_exceeded: false };
  let used = defined(tokens[start]);
  let end = start + 1;
  while (end < tokens.length && used + defined(tokens[end]) <= budget) used += defined(tokens[end++]);
  return { start, end, used_tokens: used, budget_exceeded: used > budget };
}

/**
 * The blocks around one, in document order: the window grows by one block after and one before in turn, and goes on
 * at one side when the other has come to its end or to a block that does not fit.
 */
export function windowAround(tokens: ArrayLike<number>, index: number, budget: number): Window {
  let used = defined(tokens[index]);
  let start = index;
  let end = index + 1;
  const fits = (i: number) => i >= 0 && i < tokens.length && used + defined(tokens[i]) <= budget;
  let after = true;
  let before = true;
  while (after || before) {
    after &&= fits(end);
    if (after) used += defined(tokens[end++]);
    before &&= fits(start - 1);
    if (before) used += defined(tokens[--start]);
  }
  return { start, end, used_tokens: used, budget_exceeded: used > budget };
}
