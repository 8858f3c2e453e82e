import { type Run, wordDiff } from "../word-diff.ts";

/** A stretch of a shown text that a suggestion takes out, and the words that it puts in its place. */
export interface TextMark {
  readonly from: number;
  readonly to: number;
  readonly inserted: string;
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character);

/**
 * For each character of a block's text its position in the shown text, which has other white space between its lines;
 * undefined if the two differ in more than that.
 */
function align(before: string, shown: string): number[] | undefined {
  const positions: number[] = [];
  let at = 0;
  for (const character of before) {
    const isBreak = isSpace(character);
    while (!isBreak && shown[at] !== character[0] && isSpace(shown[at])) at++;
    const isSame = shown.startsWith(character, at) || (isBreak && isSpace(shown[at]));
    if (!isSame && !isBreak) return undefined;
    for (let unit = 0; unit < character.length; unit++) positions.push(at + (isSame ? unit : 0));
    if (isSame) at += character.length;
  }
  if (shown.slice(at).trim() !== "") return undefined;
  positions.push(at);
  return positions;
}

/** Finds a word-level difference in the text of a block as it is shown; empty if the block shows something else. */
function placeRuns(shown: string, runs: readonly Run[]): TextMark[] {
  const before = runs.map(({ kind, text }) => (kind === "added" ? "" : text)).join("");
  const positions = align(before, shown);
  if (!positions) return [];
  const marks: TextMark[] = [];
  let offset = 0;
  for (const { kind, text } of runs) {
    const from = positions[offset] ?? shown.length;
    const last = marks.at(-1);
    if (kind === "added" && last && last.to === from && last.inserted === "")
      marks[marks.length - 1] = { ...last, inserted: text };
    else if (kind === "added") marks.push({ from, to: from, inserted: text });
    if (kind !== "added") offset += text.length;
    if (kind === "removed") marks.push({ from, to: positions[offset] ?? shown.length, inserted: "" });
  }
  return marks;
}

export const markChange = (shown: string, before: string, after: string): TextMark[] =>
  placeRuns(shown, wordDiff(before, after));
