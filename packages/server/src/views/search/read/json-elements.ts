import type { Node } from "@svc/document/types";

/** The range of an element of a JSON array in its text. */
export type Element = { readonly start: number; readonly end: number };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

/**
 * Returns the next element of an array of objects, written without white space; `from` is the end of the previous one,
 * 1 for the first. Skips over strings, which are most of a text.
 */
export function elementAfter(json: string, from: number): Element | undefined {
  let start = 0;
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(json, at);
    else if (unit === BRACE_OPEN || unit === BRACKET_OPEN) {
      if (depth++ === 0) start = at;
    } else if ((unit === BRACE_CLOSE || unit === BRACKET_CLOSE) && --depth <= 0)
      return depth === 0 ? { start, end: at + 1 } : undefined;
  }
  return undefined;
}

/** Returns the position of the quotation mark that ends the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end < 0) return json.length;
    let escapes = end;
    while (json.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
}

export const parseElement = (json: string, { start, end }: Element): Node => JSON.parse(json.slice(start, end));
