import { estimateTokens } from "@svc/document/read/tokens";

/** The fence around an answer (fence.ts), in tokens. */
const FENCE = 18;

/** Short ids are letters by chance: each costs more than a word of its length. */
const SHORT_ID = /\b[0-9A-HJKMNP-TV-Z]{8}\b/g;
const ID_SURCHARGE = 1.2;
/** A cursor is letters and digits by chance: three tokens for four characters at the most. */
const CURSOR = /(?<=\bcursor: )\S+/g;
const TOKENS_PER_CURSOR_CHARACTER = 0.75;
/** How far the estimate may be too low, on tables of short words and numbers above all. */
const MARGIN = 1.07;

/** The remaining token budget for an answer's text. */
export const roomIn = (maxTokens: number): number => Math.max(1, maxTokens - FENCE);

/** Tokens of lines, one below the other. */
export function costOf(lines: readonly string[]): number {
  let cursors = 0;
  const text = lines.join("\n").replace(CURSOR, (cursor) => {
    cursors += cursor.length * TOKENS_PER_CURSOR_CHARACTER;
    return "";
  });
  const ids = (text.match(SHORT_ID)?.length ?? 0) * ID_SURCHARGE;
  return Math.ceil((estimateTokens(text) + ids) * MARGIN + cursors);
}

/** The largest number from 0 to `most` for which something fits that grows with it; 0 if nothing does. */
export function largestFitting(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** As many of the lines as fit, and where some are left out, a line that says so. */
export function cutLines(all: readonly string[], room: number, more: (left: number) => string): string[] {
  if (costOf(all) <= room) return [...all];
  const cut = (count: number) => [...all.slice(0, count), more(all.length - count)];
  return cut(largestFitting(all.length, (count) => costOf(cut(count)) <= room));
}

/** The beginning of a text that fits, up to a word's end where there is one; never nothing, so that reading goes on. */
export function cutText(text: string, room: number): string {
  const length = largestFitting(text.length, (count) => costOf([text.slice(0, count)]) <= room);
  if (length === text.length) return text;
  const blank = text.lastIndexOf(" ", length);
  return text.slice(0, Math.max(blank > length / 2 ? blank + 1 : length, 16)).replace(/[\ud800-\udbff]$/, "");
}
