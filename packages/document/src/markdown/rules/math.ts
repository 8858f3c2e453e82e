import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { defined } from "../../defined.ts";

const DOLLAR = 36;
const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isBlankCode = (code: number): boolean => code === 32 || code === 9 || code === 10;

/** From where on no closing backtick and DOLLAR was found, so that a text full of openers is searched once. */
const noTickFrom = new WeakMap<StateInline, number>();

/** The next DOLLAR that is not escaped. */
function findDollar(src: string, from: number, max: number): number {
  for (let pos = from; pos < max; pos++) {
    const code = src.charCodeAt(pos);
    if (code === 92) pos++;
    else if (code === DOLLAR) return pos;
  }
  return -1;
}

const push = (state: StateInline, silent: boolean, from: number, to: number, end: number): true => {
  if (!silent) {
    const token = state.push("math_inline", "", 0);
    token.content = state.src.slice(from, to);
    token.markup = state.src.slice(state.pos, end);
  }
  state.pos = end;
  return true;
};

/** The form of GitHub for what plain dollars cannot hold: DOLLAR, backtick, formula, backtick, DOLLAR. */
const tickMath = (state: StateInline, silent: boolean): boolean => {
  const { pos, src, posMax } = state;
  if (pos >= (noTickFrom.get(state) ?? Number.POSITIVE_INFINITY)) return false;
  const end = src.indexOf("`$", pos + 2);
  if (end < 0) noTickFrom.set(state, pos);
  if (end < 0 || end + 2 > posMax) return false;
  return push(state, silent, pos + 2, end, end + 2);
};

/** An opening DOLLAR follows no word and no space follows it; the closing one the other way round. */
const inlineMath = (state: StateInline, silent: boolean): boolean => {
  const { pos, src, posMax } = state;
  if (src.charCodeAt(pos) !== DOLLAR || pos + 2 >= posMax) return false;
  const after = src.charCodeAt(pos + 1);
  if (after === 96) return tickMath(state, silent);
  const before = pos > 0 ? src.charCodeAt(pos - 1) : 32;
  if (before === DOLLAR || isWordCode(before) || after === DOLLAR || isBlankCode(after)) return false;
  const end = findDollar(src, pos + 1, posMax);
  if (end < 0 || isBlankCode(src.charCodeAt(end - 1))) return false;
  if (end + 1 < posMax && isWordCode(src.charCodeAt(end + 1))) return false;
  return push(state, silent, pos + 1, end, end + 1);
};

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(defined(state.bMarks[line]) + defined(state.tShift[line]), defined(state.eMarks[line])).trimEnd();

const dollarRun = (line: string): number => (/^\${2,}$/.test(line) ? line.length : 0);

/** `$$` on lines of their own around the formula (more dollars where it contains such a line), or `$$x$$` alone. */
const blockMath = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (defined(state.sCount[startLine]) - state.blkIndent >= 4) return false;
  const start = defined(state.bMarks[startLine]) + defined(state.tShift[startLine]);
  if (state.src.charCodeAt(start) !== DOLLAR || state.src.charCodeAt(start + 1) !== DOLLAR) return false;
  const line = lineAt(state, startLine);
  const fence = dollarRun(line);
  const single = fence ? null : /^\$\$([^$]+)\$\$$/.exec(line);
  if (!fence && !single) return false;
  if (silent) return true;
  let next = startLine + 1;
  let closed = 0;
  if (fence)
    for (; next < endLine; next++) {
      if (defined(state.sCount[next]) < state.blkIndent && !state.isEmpty(next)) break;
      if (dollarRun(lineAt(state, next)) >= fence) {
        closed = 1;
        break;
      }
    }
  const token = state.push("math_block", "", 0);
  token.content = single
    ? defined(single[1]).trim()
    : state.getLines(startLine + 1, next, defined(state.sCount[startLine]), false);
  token.map = [startLine, next + closed];
  state.line = next + closed;
  return true;
};

export const mathRules = (md: MarkdownIt): void => {
  md.inline.ruler.before("escape", "math_inline", inlineMath);
  md.block.ruler.before("blockquote", "math_block", blockMath, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
};
