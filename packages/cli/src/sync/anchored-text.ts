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

/** The parts of a text that blank lines separate, each with the anchor before it. Code stays in one piece. */
export function unitsOf(text: string): string[] {
  const units: string[] = [];
  let lines: string[] = [];
  const close = () => {
    if (lines.length > 0) units.push(lines.join("\n"));
    lines = [];
  };
  for (const { line, code, anchor } of linesOf(text)) {
    const blank = !code && line.trim() === "";
    if (blank || (anchor !== undefined && lines.length > 0)) close();
    if (!blank) lines.push(line);
  }
  close();
  return units;
}

export const joinUnits = (units: readonly string[]): string => (units.length === 0 ? "" : `${units.join("\n\n")}\n`);

/** What decides whether two units are the same: their words, not their anchors. */
export const unitKey = (unit: string): string => plain(unit);
