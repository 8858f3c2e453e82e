import { given } from "../given.ts";
import type { Spend } from "./define.ts";

/** `*` stands for any text, `?` for one character, `~` before them for themselves. */
export const hasWildcard = (text: string): boolean => /[*?~]/.test(text);

/** A longer pattern matches nothing: the time is that of the text times that of the pattern. */
const MAX_PATTERN = 255;
/** Comparisons of letters that count as one step. */
const PER_STEP = 8;

interface Step {
  readonly kind: "any" | "one" | "text";
  readonly text: string;
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  const letters = [...pattern.toLowerCase()];
  for (let i = 0; i < letters.length; i++) {
    const letter = given(letters[i]);
    if (letter === "*") steps.push({ kind: "any", text: "" });
    else if (letter === "?") steps.push({ kind: "one", text: "" });
    else steps.push({ kind: "text", text: letter === "~" && i + 1 < letters.length ? given(letters[++i]) : letter });
  }
  return steps;
}

/** Returns whether a whole text fits the pattern, whatever its case. */
export function wildcardMatcher(pattern: string, spend: Spend): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) return () => false;
  const steps = stepsOf(pattern);
  return (text) => {
    spend(text.length / PER_STEP);
    const { fits, compared } = match([...text.toLowerCase()], steps, 0);
    spend(compared / PER_STEP);
    return fits;
  };
}

/** The first place from `start` on, in UTF-16 units, where a part of the text fits the pattern; -1 if there is none. */
export function findWildcard(pattern: string, text: string, start: number, spend: Spend): number {
  if (pattern.length > MAX_PATTERN) return -1;
  const steps = stepsOf(`${pattern}*`);
  const letters = [...text];
  const lower = letters.map((letter) => letter.toLowerCase());
  let place = 0;
  for (const [at, letter] of letters.entries()) {
    if (place >= start) {
      const { fits, compared } = match(lower, steps, at);
      spend(compared / PER_STEP);
      if (fits) return place;
    }
    place += letter.length;
  }
  return -1;
}

function match(letters: readonly string[], steps: readonly Step[], start: number): { fits: boolean; compared: number } {
  let compared = 0;
  let [at, step, star, mark] = [start, 0, -1, start];
  while (at < letters.length) {
    compared++;
    const wanted = steps[step];
    if (wanted?.kind === "one" || (wanted?.kind === "text" && wanted.text === letters[at])) {
      at++;
      step++;
    } else if (wanted?.kind === "any") {
      star = step++;
      mark = at;
    } else if (star >= 0) {
      step = star + 1;
      at = ++mark;
    } else return { fits: false, compared };
  }
  while (steps[step]?.kind === "any") step++;
  return { fits: step === steps.length, compared };
}
