import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { mayHoldComment } from "./comment-text.ts";
import { readBlocks } from "./parse-blocks.ts";
import { sameButIds } from "./reconcile.ts";
import { type References, type Token, tokenize, tokenizeBlocks } from "./tokenizer.ts";

/** A text and the top-level blocks that it was read as. */
interface ReadText {
  readonly source: string;
  readonly blocks: readonly Node[];
}

/** Between the first `start` and the last `tail` blocks of the earlier text stands what was read. */
interface ChangedPart {
  readonly start: number;
  readonly tail: number;
  readonly read: readonly Node[];
}

/**
 * Reads only what differs from an earlier text, from the beginning of one top-level block to that of another. Undefined
 * where that cannot be told, or where the part may mean something else within the whole: that has to be read then.
 *
 * The part is cut at lines that begin a block whatever stands before them: a blank line goes before, and they are not
 * indented and begin no list. Only code, formulas and HTML that are still open there would take them in, which reading
 * up to them shows, and comments, with which the whole is read. So both texts are read alike before the first cut, and alike after the second one.
 */
export function readChangedPart({ source, blocks }: ReadText, sent: string): ChangedPart | undefined {
  const [earlier, text] = [withPlainLineEnds(source), withPlainLineEnds(sent)];
  if (earlier === text) return { start: blocks.length, tail: 0, read: [] };
  if (mayHoldComment(earlier) || mayHoldComment(text)) return undefined;
  const changed = changedLines(earlier, text);
  const cut = firstCut(earlier, text, changed.from);
  const rest = restAfterCut(text, changed.rest);
  if (!cut) return undefined;
  const [old, current] = [earlier.slice(cut.from, earlier.length - rest), text.slice(cut.from, text.length - rest)];
  if (SAYS_MORE.test(old) || SAYS_MORE.test(current)) return undefined;
  const references = referencesIn(text, old + current);
  const before = readPart(old, rest > 0, references);
  const read = readPart(current, rest > 0, references);
  if (!before || !read) return undefined;
  const { start } = cut;
  const tail = blocks.length - start - before.length;
  const isThere =
    tail >= 0 && (rest > 0 || tail === 0) && before.every((one, i) => sameButIds(defined(blocks[start + i]), one));
  return isThere ? { start, tail, read } : undefined;
}

const withPlainLineEnds = (text: string): string => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** Definitions of references and footnotes say something of other blocks, and `<details>` takes them in. */
const SAYS_MORE = /\]:|<\/?details/i;

/** The definitions of the text, if a part may refer to them. */
function referencesIn(text: string, part: string): References {
  const references: References = {};
  if (part.includes("[") && text.includes("]:")) tokenizeBlocks(text, references);
  return references;
}

/** The start of the first differing line, and the length of the common last lines. */
function changedLines(earlier: string, text: string): { readonly from: number; readonly rest: number } {
  const same = lengthBothStartWith(earlier, text);
  const from = same === 0 ? 0 : text.lastIndexOf("\n", same - 1) + 1;
  const end = text.length - lengthBothEndWith(earlier.slice(from), text.slice(from));
  const lineEnd = text.indexOf("\n", end);
  return { from, rest: lineEnd < 0 ? 0 : text.length - lineEnd - 1 };
}

/** So many characters are compared in one go: ten times as fast as one by one. */
const PIECE = 256;

function lengthBothStartWith(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length + PIECE <= most && a.slice(length, length + PIECE) === b.slice(length, length + PIECE)) length += PIECE;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function lengthBothEndWith(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  const last = (text: string, from: number) => text.slice(text.length - from - PIECE, text.length - from);
  let length = 0;
  while (length + PIECE <= most && last(a, length) === last(b, length)) length += PIECE;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length;
}

/** No blank, no mark of a list. */
const startsBlock = (text: string, at: number): boolean => /[^\s\-+*\d]/.test(text.charAt(at));
const followsBlankLine = (text: string, at: number): boolean =>
  at === 0 || /^[ \t]*\n$/.test(text.slice(text.lastIndexOf("\n", at - 2) + 1, at));

/** A placeholder for a line that begins a block. */
export const MARK = "x";

interface Cut {
  /** The place in both texts. */
  readonly from: number;
  /** How many blocks stand before it. */
  readonly start: number;
}

/** The last line before the changed ones, or the first of them, that begins a block in both texts and is within none. */
function firstCut(earlier: string, text: string, changedFrom: number): Cut | undefined {
  const isStart = startsBlock(earlier, changedFrom) && startsBlock(text, changedFrom);
  const head = text.slice(0, changedFrom) + (isStart ? MARK : "");
  const tokens = tokenizeBlocks(head);
  if (tokens.some(opensDetails)) return undefined;
  const lines = lineStarts(head);
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { level, map } = defined(tokens[i]);
    if (level !== 0 || !map) continue;
    const from = defined(lines[map[0]]);
    if (startsBlock(head, from) && followsBlankLine(head, from))
      return { from, start: readBlocks(tokens.slice(0, i)).length };
  }
  return { from: 0, start: 0 };
}

/** `<details>` that nothing has closed. */
const opensDetails = ({ type, level, content }: Token): boolean =>
  type === "html_block" && level === 0 && /^[ \t]*<details/i.test(content);

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const sureStart = /\n[ \t]*\n(?=[^\s\-+*\d])/g;

/** How many characters there are from the first such line on that the given last ones have. */
function restAfterCut(text: string, rest: number): number {
  sureStart.lastIndex = Math.max(0, text.length - rest - 1);
  return sureStart.test(text) ? text.length - sureStart.lastIndex : 0;
}

/** The blocks of a part; undefined if it would take in what follows. */
function readPart(part: string, goesOn: boolean, references: References): readonly Node[] | undefined {
  if (!goesOn) return readBlocks(tokenize(part, references));
  const tokens = tokenize(part + MARK, references);
  return endsWithMark(tokens) ? readBlocks(tokens.slice(0, -3)) : undefined;
}

/** Whether the mark is a paragraph of its own: no block before it takes it in. */
export function endsWithMark(tokens: readonly Token[]): boolean {
  const [open, inline] = tokens.slice(-3);
  return open?.type === "paragraph_open" && open.level === 0 && inline?.content === MARK;
}
