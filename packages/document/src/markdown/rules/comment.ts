import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import { defined } from "../../defined.ts";
import { readAnchor } from "../anchor-comment.ts";
import { inText, isInline } from "../comment-text.ts";

const PERCENT = 37;

function comment(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state;
  if (src.charCodeAt(pos) !== PERCENT || src.charCodeAt(pos + 1) !== PERCENT) return false;
  inText.lastIndex = pos;
  const found = inText.exec(src)?.[0];
  if (found === undefined || pos + found.length > state.posMax || !isInline(found)) return false;
  if (!silent) state.push("html_inline", "", 0).content = found;
  state.pos += found.length;
  return true;
}

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(defined(state.bMarks[line]) + defined(state.tShift[line]), defined(state.eMarks[line]));

const MAX_LINES = 1000;

/** A comment that begins and ends with a line of its own may have blank lines. */
function commentBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (defined(state.sCount[startLine]) - state.blkIndent >= 4 || !/^%%[ \t]*$/.test(lineAt(state, startLine)))
    return false;
  const last = Math.min(endLine, startLine + MAX_LINES);
  let line = startLine + 1;
  while (line < last && !/^%%[ \t]*$/.test(lineAt(state, line))) {
    const isOutside = !state.isEmpty(line) && defined(state.sCount[line]) < state.blkIndent;
    if (isOutside || readAnchor(lineAt(state, line)) !== null) return false;
    line++;
  }
  if (line >= last || line === startLine + 1) return false;
  if (silent) return true;
  const token = state.push("html_block", "", 0);
  token.map = [startLine, line + 1];
  token.content = state.getLines(startLine, line + 1, state.blkIndent, true);
  state.line = line + 1;
  return true;
}

export const commentRules = (md: MarkdownIt): void => {
  md.inline.ruler.before("escape", "comment", comment);
  md.block.ruler.before("html_block", "comment_block", commentBlock);
};
