import { estimateTokens } from "@svc/document/read/tokens";

/** Tokens of the fence around an answer (fence.ts). */
const FENCE = 18;

/** Short ids are random letters, so each costs more tokens than a word of its length. */
const SHORT_ID = /\b[0-9A-HJKMNP-TV-Z]{8}\b/g;
const ID_SURCHARGE = 1.2;
/** A cursor is random letters and digits: at most three tokens for four characters. */
const CURSOR = /(?<=\bcursor: )\S+/g;
const TOKENS_PER_CURSOR_CHARACTER = 0.75;
/** The max error of the estimate, which is too low mainly for tables of short words and numbers. */
const MARGIN = 1.07;

/** The remaining token budget for an answer's text. */
export const roomIn = (maxTokens: number): number => Math.max(1, maxTokens - FENCE);

/** Estimates the tokens of joined lines. */
export function costOf(lines: readonly string[]): number {
  let cursors = 0;
  const text = lines.join("\n").replace(CURSOR, (cursor) => {
    cursors += cursor.length * TOKENS_PER_CURSOR_CHARACTER;
    return "";
  });
  const ids = (text.match(SHORT_ID)?.length ?? 0) * ID_SURCHARGE;
  return Math.ceil((estimateTokens(text) + ids) * MARGIN + cursors);
}

/** The largest count from 0 to `most` that fits, by binary search; 0 if none does. */
export function largestFitting(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Keeps as many lines as fit; if some are left out, adds a line with their number. */
export function cutLines(all: readonly string[], room: number, more: (left: number) => string): string[] {
  if (costOf(all) <= room) return [...all];
  const cut = (count: number) => [...all.slice(0, count), more(all.length - count)];
  return cut(largestFitting(all.length, (count) => costOf(cut(count)) <= room));
}

/** Cuts a text to fit, after a whole word if possible. Never returns an empty text, so that reading can continue. */
export function cutText(text: string, room: number): string {
  const length = largestFitting(text.length, (count) => costOf([text.slice(0, count)]) <= room);
  if (length === text.length) return text;
  const blank = text.lastIndexOf(" ", length);
  return text.slice(0, Math.max(blank > length / 2 ? blank + 1 : length, 16)).replace(/[\ud800-\udbff]$/, "");
}
