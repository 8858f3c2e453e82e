import { findAll } from "../blocks/find-all.ts";
import { loosen } from "./loosen.ts";
import type { SpanText } from "./source-text.ts";

/** A stretch of the text, `to` not included. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

interface FoundPlaces {
  readonly places: readonly Place[];
  /** The text does not occur as it was sent: the places differ in what means little. */
  readonly isLoose: boolean;
}

/** Finds a text as it was sent, or else except for differences that mean little. Places do not overlap. */
export function findPlaces({ text, from: start, to: end }: SpanText, old: string): FoundPlaces {
  const window = text.slice(start, end);
  const exact = findAll(window, old).map((at) => ({ from: start + at, to: start + at + old.length }));
  if (exact.length > 0) return { places: exact, isLoose: false };
  const [source, wanted] = [loosen(window), loosen(old).text];
  if (wanted === "") return { places: [], isLoose: false };
  const found = findAll(source.text, wanted).map((at) => ({
    from: source.at[at]!,
    to: endOf(source.at, at + wanted.length - 1, window),
  }));
  return { places: found.map((place) => shifted(withBlanks(window, place, old), start)), isLoose: true };
}

const shifted = ({ from, to }: Place, by: number): Place => ({ from: from + by, to: to + by });

/** The offset behind a character of the loosened text; an escape is two characters of the original. */
const endOf = (at: readonly number[], index: number, text: string): number =>
  at[index]! + (text[at[index]!] === "\\" && at[index + 1] !== at[index]! + 1 ? 2 : 1);

/**
 * Widens the place by the white space around it, as far as the text that is looked for begins and ends with some: at
 * most as many line ends as that has.
 */
function withBlanks(text: string, place: Place, old: string): Place {
  const leading = old.slice(0, old.length - old.trimStart().length);
  const trailing = old.slice(old.trimEnd().length);
  let { from, to } = place;
  for (let left = lineEndsIn(leading); leading !== "" && isBlank(text[from - 1]); from--)
    if (text[from - 1] === "\n" && left-- === 0) break;
  for (let left = lineEndsIn(trailing); trailing !== "" && isBlank(text[to]); to++)
    if (text[to] === "\n" && left-- === 0) break;
  return { from, to };
}

const isBlank = (character: string | undefined): boolean => character !== undefined && character.trim() === "";
const lineEndsIn = (text: string): number => text.split("\n").length - 1;
