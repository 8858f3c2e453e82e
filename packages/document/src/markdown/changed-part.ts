import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { mayHoldComment } from "./comment-text.ts";
import { readBlocks } from "./parse-blocks.ts";
import { sameButIds } from "./reconcile.ts";
import { type References, type Token, tokenize, tokenizeBlocks } from "./tokenizer.ts";

/** A text and its parsed top-level blocks. */
interface ReadText {
  readonly source: string;
  readonly blocks: readonly Node[];
}

/** `read` replaces the blocks of the earlier text between its first `start` and its last `tail` blocks. */
interface ChangedPart {
  readonly start: number;
  readonly tail: number;
  readonly read: readonly Node[];
}

/**
 * Parses only the part of a text that differs from an earlier text, from the start of one top-level block to the start
 * of another. Returns undefined if the part cannot be determined, or may have another meaning within the whole text:
 * then the caller must parse the whole text.
 *
 * Both cuts are at lines that follow a blank line, are not indented and begin no list. A line of this kind starts a
 * block unless it is inside open code, an open formula or open HTML, which parsing up to it detects, or inside a
 * comment; texts with comments are always parsed as a whole. So both texts parse alike outside the cuts.
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

/** Definitions of references and footnotes affect other blocks, and `<details>` contains them. */
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

/** Characters compared at once: ten times as fast as one by one. */
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

/** Whether a line starts with neither white space nor a character that can begin a list. */
const startsBlock = (text: string, at: number): boolean => /[^\s\-+*\d]/.test(text.charAt(at));
const followsBlankLine = (text: string, at: number): boolean =>
  at === 0 || /^[ \t]*\n$/.test(text.slice(text.lastIndexOf("\n", at - 2) + 1, at));

/** A placeholder for a line that begins a block. */
export const MARK = "x";

interface Cut {
  /** The offset, which is the same in both texts. */
  readonly from: number;
  /** The number of blocks before the cut. */
  readonly start: number;
}

/** Finds the last line up to the first changed one that starts a top-level block in both texts. */
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

/** Whether a token opens a `<details>` that is not closed. */
const opensDetails = ({ type, level, content }: Token): boolean =>
  type === "html_block" && level === 0 && /^[ \t]*<details/i.test(content);

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const sureStart = /\n[ \t]*\n(?=[^\s\-+*\d])/g;

/** The length of the text from the first sure start of a block within the last `rest` characters. */
function restAfterCut(text: string, rest: number): number {
  sureStart.lastIndex = Math.max(0, text.length - rest - 1);
  return sureStart.test(text) ? text.length - sureStart.lastIndex : 0;
}

/** Parses a part; undefined if its last block would continue into the text after it. */
function readPart(part: string, goesOn: boolean, references: References): readonly Node[] | undefined {
  if (!goesOn) return readBlocks(tokenize(part, references));
  const tokens = tokenize(part + MARK, references);
  return endsWithMark(tokens) ? readBlocks(tokens.slice(0, -3)) : undefined;
}

/** Whether the mark is a separate paragraph, so that no earlier block contains it. */
export function endsWithMark(tokens: readonly Token[]): boolean {
  const [open, inline] = tokens.slice(-3);
  return open?.type === "paragraph_open" && open.level === 0 && inline?.content === MARK;
}
