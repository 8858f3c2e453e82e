import { randomInt } from "node:crypto";

/** No vowels, so no words, and none of L, Q, V, which can be misread as I, O, U or W. */
const LETTERS = "BCDFGHJKMNPRSTWXZ";
const LENGTH = 8;

const grouped = (letters: string): string => `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;

/** `BCDF-GHJK`: about 33 random bits, valid for ten minutes and a few attempts per person. */
export const newUserCode = (): string =>
  grouped(Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(""));

/** Normalizes a typed code; undefined if it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s\-–—_.]/g, "");
  return letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? grouped(letters)
    : undefined;
}
