import { readAnchor } from "@svc/document/markdown/anchor-comment";

/** Lines with what a merge and an anchor need to know of them: those inside of fenced code are text, whatever they say. */
function* linesOf(text: string): Generator<{ line: string; code: boolean; anchor: string | undefined }> {
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const code = fence !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    yield { line, code, anchor: code ? undefined : (readAnchor(line.trim()) ?? undefined) };
  }
}

export const withoutAnchors = (text: string): string =>
  [...linesOf(text)]
    .filter(({ anchor }) => anchor === undefined)
    .map(({ line }) => line)
    .join("\n");

/** Whether two texts say the same, anchors and white space at line ends aside. */
export const sameText = (a: string, b: string): boolean => a === b || plain(a) === plain(b);

const plain = (text: string): string =>
  withoutAnchors(text)
    .replace(/[ \t]+$/gm, "")
    .trim();

/** A part of a text that blank lines separate from the others, with the anchor before it. Code stays in one piece. */
export interface Unit {
  readonly text: string;
  /** The line end after it and the blank lines that follow, as they are written. */
  readonly gap: string;
}

/** The parts of a text, and the blank lines before the first: together they are the text, character by character. */
export function unitsOf(text: string): { readonly lead: string; readonly units: Unit[] } {
  const places: { start: number; end: number }[] = [];
  let [at, isOpen] = [0, false];
  for (const { line, code, anchor } of linesOf(text)) {
    const blank = !code && line.trim() === "";
    const end = at + line.replace(/\r$/, "").length;
    const last = places.at(-1);
    if (!blank && last && isOpen && anchor === undefined) last.end = end;
    else if (!blank) places.push({ start: at, end });
    isOpen = !blank;
    at += line.length + 1;
  }
  const units = places.map(({ start, end }, index) => ({
    text: text.slice(start, end),
    gap: text.slice(end, places[index + 1]?.start ?? text.length),
  }));
  return { lead: text.slice(0, places[0]?.start ?? text.length), units };
}

/** Two units are equal if their words are; anchors do not count. */
export const unitKey = ({ text }: Unit): string => plain(text);
