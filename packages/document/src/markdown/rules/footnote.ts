import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { defined } from "../../defined.ts";

/** The characters of a footnote's label, in the reference `[^label]` and in the definition `[^label]: …`. */
export const footnoteLabel = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99}$/u;
const definitionStart = /\[\^([^\s[\]^]{1,100})\]:/y;
const reference = /\[\^([^\s[\]^]{1,100})\]/y;

const matchAt = (pattern: RegExp, src: string, pos: number): RegExpExecArray | null => {
  pattern.lastIndex = pos;
  const match = pattern.exec(src);
  return match && footnoteLabel.test(defined(match[1])) ? match : null;
};

const footnoteReference = (state: StateInline, silent: boolean): boolean => {
  if (state.src.charCodeAt(state.pos) !== 91 || state.src.charCodeAt(state.pos + 1) !== 94) return false;
  const match = matchAt(reference, state.src, state.pos);
  if (!match || state.pos + match[0].length > state.posMax) return false;
  if (!silent) state.push("footnote_ref", "", 0).content = defined(match[1]);
  state.pos += match[0].length;
  return true;
};

/** Reads the text after the colon and what is indented by four below it as if all of it stood at column four. */
const tokenizeContent = (state: StateBlock, startLine: number, endLine: number, contentPos: number): void => {
  const saved = [
    defined(state.bMarks[startLine]),
    defined(state.tShift[startLine]),
    defined(state.sCount[startLine]),
  ] as const;
  const { parentType, blkIndent, tight } = state;
  const start = state.skipSpaces(contentPos);
  state.bMarks[startLine] = contentPos;
  state.tShift[startLine] = Math.min(start, defined(state.eMarks[startLine])) - contentPos;
  state.blkIndent = blkIndent + 4;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = "footnote";
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent = blkIndent;
  state.tight = tight;
  [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] = saved;
};

const footnoteDefinition = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (defined(state.sCount[startLine]) - state.blkIndent >= 4) return false;
  const start = defined(state.bMarks[startLine]) + defined(state.tShift[startLine]);
  if (state.src.charCodeAt(start) !== 91 || state.src.charCodeAt(start + 1) !== 94) return false;
  const match = matchAt(definitionStart, state.src, start);
  if (!match || start + match[0].length > defined(state.eMarks[startLine])) return false;
  if (silent) return true;
  const open = state.push("footnote_open", "", 1);
  open.info = defined(match[1]);
  const lines: [number, number] = [startLine, 0];
  open.map = lines;
  tokenizeContent(state, startLine, endLine, start + match[0].length);
  if (state.line <= startLine) state.line = startLine + 1;
  lines[1] = state.line;
  state.push("footnote_close", "", -1);
  return true;
};

export const footnoteRules = (md: MarkdownIt): void => {
  md.block.ruler.before("reference", "footnote", footnoteDefinition, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "footnote_ref", footnoteReference);
};
