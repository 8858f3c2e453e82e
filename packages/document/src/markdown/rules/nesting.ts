import type { MarkdownIt, StateBlock } from "markdown-it";

/** Token levels at which a container may still begin (a list takes two levels, a quote or a footnote one). */
export const MAX_CONTAINER_LEVEL = 46;

const containerStart = /^(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\[\^[^\s[\]^]{1,100}\]:)/;
const rule = /^(?:[-*_][ \t]*){3,}$/;

/**
 * markdown-it drops what is nested deeper than its limit. This rule stands before all others and keeps it instead:
 * from the container that would be too deep on, the rest of its parent, unparsed, as one code block anyone can see.
 */
const tooDeep = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (silent || state.level < MAX_CONTAINER_LEVEL || state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const line = state.src.slice(state.bMarks[startLine]! + state.tShift[startLine]!, state.eMarks[startLine]!);
  if (!containerStart.test(line) || rule.test(line)) return false;
  let next = startLine + 1;
  while (next < endLine && (state.isEmpty(next) || state.sCount[next]! >= state.blkIndent)) next++;
  const token = state.push("fence", "code", 0);
  token.content = state.getLines(startLine, next, state.blkIndent, true);
  token.map = [startLine, next];
  state.line = next;
  return true;
};

export const nestingRule = (md: MarkdownIt): void => {
  md.block.ruler.before("table", "too_deep", tooDeep);
};
