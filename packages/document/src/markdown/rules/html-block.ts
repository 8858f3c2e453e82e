import type { MarkdownIt, StateBlock } from "markdown-it";
import { defined } from "../../defined.ts";

const blockTags =
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
  "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
  "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
  "title tr track ul";

/** Tags that live in a line, also where they stand alone in one. */
const inlineTags =
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike " +
  "strong sub sup time tt u var wbr";

const attribute = "\\s+[A-Za-z_:][A-Za-z0-9:._-]*(?:\\s*=\\s*(?:[^\"'=<>`\\0-\\x20]+|'[^']*'|\"[^\"]*\"))?";
/** CommonMark's seventh kind: any other tag that is alone in its line. It does not end a paragraph. */
const aloneTag = new RegExp(
  `^<(?:/(?!(?:${inlineTags.replaceAll(" ", "|")})\\s*>)[A-Za-z][A-Za-z0-9-]*\\s*|` +
    `(?!(?:${inlineTags.replaceAll(" ", "|")})[\\s/>])[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\\s*/?)>\\s*$`,
  "i",
);

/** How an HTML block begins, the line that ends it, and what ends it where nothing did. */
const kinds: readonly (readonly [begin: RegExp, end: RegExp, closing?: string])[] = [
  [/^<(script|pre|style|textarea)(?=\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i, "</$1>"],
  [/^<!--/, /-->/, "-->"],
  [/^<\?/, /\?>/, "?>"],
  [/^<![A-Za-z]/, />/, ">"],
  [/^<!\[CDATA\[/, /\]\]>/, "]]>"],
  [new RegExp(`^</?(?:${blockTags.replaceAll(" ", "|")})(?=\\s|/?>|$)`, "i"), /^$/],
];
const aloneKind: (typeof kinds)[number] = [aloneTag, /^$/];

/** Whether a line that begins so begins an HTML block. */
export const beginsHtmlBlock = (line: string): boolean => kinds.some(([begin]) => begin.test(line));

/** Whether a block of HTML begins with a line that consists of this tag. */
export const isBlockAlone = (tag: string): boolean => aloneTag.test(tag);

/** Returns the missing end of HTML that would otherwise swallow the text after it. */
export function missingEnd(written: string): string | undefined {
  const html = written.trimStart();
  const [begin, end, closing] = kinds.find(([begin]) => begin.test(html)) ?? [];
  return begin && closing && !end?.test(html) ? closing.replace("$1", begin.exec(html)?.[1] ?? "") : undefined;
}

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(defined(state.bMarks[line]) + defined(state.tShift[line]), defined(state.eMarks[line]));

const lastLineOf = (state: StateBlock, startLine: number, endLine: number, end: RegExp): number => {
  if (end.test(lineAt(state, startLine))) return startLine + 1;
  const isPlain = end.test("");
  let isInside = /<details\b/i.test(lineAt(state, startLine));
  for (let line = startLine + 1; line < endLine; line++) {
    const text = lineAt(state, line);
    if (defined(state.sCount[line]) < state.blkIndent && (text !== "" || isPlain)) return line;
    if (isPlain && closesOuter(text, isInside)) return line;
    isInside ||= /<details\b/i.test(text);
    if (end.test(text)) return text === "" ? line : line + 1;
  }
  return endLine;
};

const detailsLine = /^<\/?details\b[^>]*>\s*(?:<summary>[^\n]*<\/summary>\s*)?$/i;
const MAX_SUMMARY_LINES = 10;

/** The line after `<summary>…</summary>`, which may take several lines; 0 where there is none. */
function endOfSummary(state: StateBlock, startLine: number, endLine: number): number {
  if (!/^<summary>/i.test(lineAt(state, startLine))) return 0;
  const end = Math.min(endLine, startLine + MAX_SUMMARY_LINES);
  for (
    let line = startLine;
    line < end && !state.isEmpty(line) && defined(state.sCount[line]) >= state.blkIndent;
    line++
  )
    if (/<\/summary>/i.test(lineAt(state, line))) return /<\/summary>\s*$/i.test(lineAt(state, line)) ? line + 1 : 0;
  return 0;
}

/** The block ends before a line that closes `<details>` which was opened before the block. */
const closesOuter = (text: string, isInside: boolean): boolean => !isInside && /^<\/details>\s*$/i.test(text);

/** The end of the HTML block of CommonMark around a line, as last found: its lines ask for it one after the other. */
const wholeEnds = new WeakMap<StateBlock, { readonly start: number; readonly end: number; readonly indent: number }>();

function endOfWhole(state: StateBlock, startLine: number, endLine: number): number {
  const known = wholeEnds.get(state);
  if (known && known.indent === state.blkIndent && known.start <= startLine && startLine < known.end) return known.end;
  let end = startLine + 1;
  while (end < endLine && !state.isEmpty(end) && defined(state.sCount[end]) >= state.blkIndent) end++;
  wholeEnds.set(state, { start: startLine, end, indent: state.blkIndent });
  return end;
}

/** Whether `<details>` is HTML up to the line that closes it: then nothing in it is Markdown. */
function isWhole(state: StateBlock, next: number, end: number): boolean {
  const [blockKind] = kinds.at(-1)!;
  const line = next < end ? lineAt(state, next) : "";
  return (
    blockKind.test(line) && !/^<\/?(?:details|summary)\b/i.test(line) && /<\/details>\s*$/i.test(lineAt(state, end - 1))
  );
}

/** The first line from there on that is not blank. */
function nextText(state: StateBlock, from: number, endLine: number): number {
  let line = from;
  while (line < endLine && state.isEmpty(line)) line++;
  return line;
}

/** The line after `<details>` and its summary, or after `</details>`: what follows is Markdown without a blank line too. */
function endOfDetails(state: StateBlock, startLine: number, endLine: number, first: string): number | null {
  if (!detailsLine.test(first)) return null;
  const next = startLine + 1;
  const isBare = /^<details\b[^>]*>\s*$/i.test(first);
  const line = isBare ? nextText(state, next, endLine) : endLine;
  const hasSummary = line < endLine && defined(state.sCount[line]) >= state.blkIndent;
  const after = (hasSummary && endOfSummary(state, line, endLine)) || next;
  const isOpening = !first.startsWith("</");
  return isOpening && isWhole(state, after, endOfWhole(state, startLine, endLine)) ? null : after;
}

const htmlBlock = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (defined(state.sCount[startLine]) - state.blkIndent >= 4) return false;
  if (state.src.charCodeAt(defined(state.bMarks[startLine]) + defined(state.tShift[startLine])) !== 60) return false;
  const first = lineAt(state, startLine);
  const kind = kinds.find(([begin]) => begin.test(first)) ?? (!silent && aloneTag.test(first) ? aloneKind : undefined);
  if (!kind) return false;
  if (silent) return true;
  const next = endOfDetails(state, startLine, endLine, first) ?? lastLineOf(state, startLine, endLine, kind[1]);
  const token = state.push("html_block", "", 0);
  token.map = [startLine, next];
  token.content = state.getLines(startLine, next, state.blkIndent, true);
  state.line = next;
  return true;
};

export const htmlBlockRule = (md: MarkdownIt): void => {
  md.block.ruler.at("html_block", htmlBlock, { alt: ["paragraph", "reference", "blockquote"] });
};
