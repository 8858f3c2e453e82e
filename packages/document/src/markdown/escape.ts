import { escapeAutolinks } from "./autolink.ts";

/** The surroundings of a piece of text. */
export interface TextPlace {
  /** At the beginning of a line; `first` when it is the first of its block. */
  readonly lineStart: boolean;
  readonly first: boolean;
  /** Inside `[…]` of a link. */
  readonly inLink: boolean;
  /** The block has dollars enough for a formula. */
  readonly dollars: boolean;
  /** A line end would end the block (heading, table cell, summary). */
  readonly oneLine: boolean;
  /** Something that is no blank stands in the same line before the text. */
  readonly follows?: boolean;
  /** Something that is no blank follows the text, and may begin a line. */
  readonly goesOn?: boolean;
}

const special = /[\\`*_[\]<&~$\r\0@]|==|%%|:\/\/|[wW]{3}\./;
const inText =
  /[\\`*[]|\]|<(?=[A-Za-z/!?]|$)|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)|_+|~+|\$(?![ \t]|$)|\$$|={2,}|%{2,}|\r|\0/g;
const word = /[\p{L}\p{N}]/u;

const isWordAt = (text: string, index: number): boolean => {
  const char = text[index];
  return char !== undefined && word.test(char);
};
const escapeEach = (run: string): string => run.replace(/./g, "\\$&");

const asciiWord = /\w/;

/** Whether two equals signs may begin or end highlighted text. What stands beside the text is not known. */
function mayHighlight(text: string, at: number): boolean {
  const [before = "(", after = "("] = [text[at - 1], text[at + 2]];
  const opens = !/\s/.test(after) && !asciiWord.test(before);
  return opens || (!/\s/.test(before) && !asciiWord.test(after));
}

function escapeMatch(match: string, offset: number, text: string, place: TextPlace): string {
  switch (match[0]) {
    case "_":
      return isWordAt(text, offset - 1) && isWordAt(text, offset + match.length) ? match : escapeEach(match);
    case "~":
      return match.length > 1 || offset === 0 || offset + 1 === text.length ? escapeEach(match) : match;
    case "=":
      return match.length === 2 && mayHighlight(text, offset) ? `\\${match}` : match;
    case "%":
      return isWordAt(text, offset - 1) ? match : escapeEach(match);
    case "]":
      return place.inLink ? "\\]" : match;
    case "$":
      return place.dollars ? "\\$" : match;
    case "\r":
      return "&#13;";
    case "\0":
      return "\uFFFD";
    default:
      return `\\${match}`;
  }
}

/** Matches text that would begin another block at the start of a line; the group says where the backslash goes. */
const lineStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|-(?=-)|\d{1,9}(?=[.)](?:[ \t]|$)))/;
const laterLineStart = /^[=|:-]/;

function escapeLineStart(line: string, first: boolean): string {
  const match = lineStart.exec(line);
  if (match) return /^\d/.test(match[0]) ? `${match[0]}\\${line.slice(match[0].length)}` : `\\${line}`;
  return !first && laterLineStart.test(line) ? `\\${line}` : line;
}

const spaceEntity = (char: string): string => `&#${char.codePointAt(0)};`;

function escapeLine(line: string, place: TextPlace, isLineStart: boolean, first: boolean): string {
  const escaped = special.test(line)
    ? escapeAutolinks(line.replace(inText, (match: string, offset: number) => escapeMatch(match, offset, line, place)))
    : line;
  if (!isLineStart || escaped === "") return escaped;
  if (escaped[0] === " " || escaped[0] === "\t") return spaceEntity(escaped[0]) + escaped.slice(1);
  return escapeLineStart(escaped, first);
}

/** Whether a line end between two lines of a text is read as one. */
function canBreakBefore(lines: readonly string[], index: number, place: TextPlace): boolean {
  const [left, right] = [lines[index - 1]!, lines[index]!];
  const hasLeft = left === "" ? index === 1 && place.follows === true : !/[ \t]$/.test(left);
  const hasRight = right === "" ? index === lines.length - 1 && place.goesOn === true : !/^[ \t]/.test(right);
  return !place.oneLine && hasLeft && hasRight;
}

/** Text so written that it reads back as itself, whatever is in it (only NUL cannot be said). */
export function escapeText(text: string, place: TextPlace): string {
  if (!text.includes("\n")) return escapeLine(text, place, place.lineStart, place.first);
  const lines = text.split("\n");
  let out = escapeLine(lines[0]!, place, place.lineStart, place.first);
  for (let i = 1; i < lines.length; i++) {
    const raw = canBreakBefore(lines, i, place);
    out += (raw ? "\n" : "&#10;") + escapeLine(lines[i]!, place, raw, false);
  }
  return out;
}

/** Encodes white space at the ends of a block's text, where readers and editors trim it away; of a cell, any kind. */
export function guardEnds(text: string, isCell: boolean): string {
  if (hasPlainEnds(text, text)) return text;
  const isTrimmed = isCell ? /\s/ : /[^\S\v]/;
  let out = text;
  if (isTrimmed.test(out.at(-1) ?? "")) out = out.slice(0, -1) + guardSpace(out.at(-1)!);
  if (isTrimmed.test(out[0] ?? "")) out = guardSpace(out[0]!) + out.slice(1);
  return out;
}

/** Whether nothing is to be guarded in a text that begins with the one text and ends with the other. */
export const hasPlainEnds = (begin: string, end: string): boolean =>
  isPlainAt(begin, 0) && isPlainAt(end, end.length - 1);

/** ASCII, excluding white space. */
const isPlainAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code > 32 && code < 127;
};

/** A vertical tab has no character reference; an empty comment beside it keeps it from being trimmed. */
const guardSpace = (char: string): string => (char === "\v" ? "<!-- -->\v<!-- -->" : spaceEntity(char));

const inDestination = /[\\<>]|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)/g;

export function linkDestination(url: string): string {
  const escaped = url.replace(inDestination, "\\$&");
  if (escaped === url && /^[^\s()\0-\x20\x7F]+$/.test(url)) return url;
  return `<${escaped.replace(/[\n\r]/g, spaceEntity).replaceAll("\0", "\uFFFD")}>`;
}

export function linkTitle(title: string): string {
  const escaped = title.replace(/[\\"]|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)/g, "\\$&").replace(/[\n\r]/g, spaceEntity);
  return `"${escaped.replaceAll("\0", "\uFFFD")}"`;
}
