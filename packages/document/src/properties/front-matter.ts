import { readProperties } from "./read-properties.ts";

/** A Markdown text in two parts: the lines of its front matter, fences included, and the rest. */
interface SplitText {
  /** Empty where the text has none. */
  readonly frontMatter: string;
  readonly body: string;
}

/** A fence, lines of which the first is not blank, a fence. Found by lines: a text of many is looked through once. */
function findFences(
  text: string,
): { readonly start: number; readonly end: number; readonly after: number } | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n(?=[^\s])/.exec(text);
  if (!opening) return undefined;
  const start = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/gm;
  closing.lastIndex = start;
  const found = closing.exec(text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text);
  return found && found.index > start ? { start, end: found.index, after: closing.lastIndex } : undefined;
}

/** Front matter that does not end within so many characters is none. */
const MAX_CHARACTERS = 65_536;

/** The text of a front matter between its fences. */
export function sourceOf(frontMatter: string): string {
  const fences = findFences(frontMatter);
  return fences ? frontMatter.slice(fences.start, fences.end) : "";
}

/**
 * Parts a Markdown text. What stands between two fences but is no mapping is text; what begins like a mapping and
 * cannot be read, or is too large, is refused.
 */
export function splitFrontMatter(text: string): SplitText {
  const whole = { frontMatter: "", body: text };
  const fences = findFences(text);
  if (!fences) return whole;
  const source = text.slice(fences.start, fences.end);
  if (!/^(?:#[^\n]*\n)*[^\s#-][^\n]*?:(?:\s|$)/.test(source)) return whole;
  readProperties(source);
  return { frontMatter: text.slice(0, fences.after), body: text.slice(fences.after) };
}

/** As above; what cannot be read stays in the text. */
export function splitReadable(text: string): SplitText & { readonly problem?: string } {
  try {
    return splitFrontMatter(text);
  } catch (error) {
    return { frontMatter: "", body: text, problem: error instanceof Error ? error.message : "unreadable" };
  }
}

/** The same fences and line ends around another source; without a source, nothing. */
export function frontMatterOf(source: string, before = ""): string {
  if (source.trim() === "") return "";
  const fences = findFences(before);
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const inner = source.endsWith("\n") ? source : `${source}${lineEnd}`;
  return fences
    ? before.slice(0, fences.start) + inner + before.slice(fences.end)
    : `---${lineEnd}${inner}---${lineEnd}`;
}
