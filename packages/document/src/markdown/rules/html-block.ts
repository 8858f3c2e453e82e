import type { MarkdownIt, StateBlock } from "markdown-it";

const blockTags =
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
  "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
  "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
  "title tr track ul";

/** How an HTML block begins and the line that ends it. Tags that live in a line (CommonMark's seventh kind) begin none. */
const kinds: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${blockTags.replaceAll(" ", "|")})(?=\\s|/?>|$)`, "i"), /^$/],
];

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]!);

const lastLineOf = (state: StateBlock, startLine: number, endLine: number, end: RegExp): number => {
  if (end.test(lineAt(state, startLine))) return startLine + 1;
  for (let line = startLine + 1; line < endLine; line++) {
    const text = lineAt(state, line);
    if (state.sCount[line]! < state.blkIndent && (text !== "" || end.test(""))) return line;
    if (end.test(text)) return text === "" ? line : line + 1;
  }
  return endLine;
};

const htmlBlock = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  if (state.src.charCodeAt(state.bMarks[startLine]! + state.tShift[startLine]!) !== 60) return false;
  const first = lineAt(state, startLine);
  const kind = kinds.find(([begin]) => begin.test(first));
  if (!kind) return false;
  if (silent) return true;
  const next = lastLineOf(state, startLine, endLine, kind[1]);
  const token = state.push("html_block", "", 0);
  token.map = [startLine, next];
  token.content = state.getLines(startLine, next, state.blkIndent, true);
  state.line = next;
  return true;
};

export const htmlBlockRule = (md: MarkdownIt): void => {
  md.block.ruler.at("html_block", htmlBlock, { alt: ["paragraph", "reference", "blockquote"] });
};
