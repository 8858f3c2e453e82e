/** Breaks what chat programs make of plain text: mentions, channels, links and emoji. */
const ZERO_WIDTH = "\u200b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/**
 * A title or name as words alone. Nothing in it can mention anybody or become a link: a character without width follows
 * each sign that could begin one, and each full stop in a name that looks like a host.
 */
export const plainWords = (text: string, maxCharacters = 200): string =>
  [...text.toWellFormed().replace(HIDDEN, " ")]
    .slice(0, maxCharacters)
    .join("")
    .replace(/[@#:<!\]]/g, `$&${ZERO_WIDTH}`)
    .replace(/(\p{L}|\p{N})\.(?=\p{L})/gu, `$1.${ZERO_WIDTH}`)
    .trim() || "Untitled";

/** The same for Markdown, as Discord reads it. */
export const plainMarkdown = (text: string, maxCharacters?: number): string =>
  plainWords(text, maxCharacters).replace(/[\\`*_[\]()<>#|~-]/g, "\\$&");
