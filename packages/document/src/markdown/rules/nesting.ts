import type { MarkdownIt, StateBlock } from "markdown-it";

/** Token levels a Markdown text may nest (a list takes two, a quote one). What lies deeper is kept as code text. */
export const maxBlockLevel = 48;

/**
 * markdown-it drops what is nested deeper than its limit. This rule stands before all others and keeps it instead:
 * the rest of the container, unparsed, as one code block that anyone can see.
 */
const tooDeep = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (silent || state.level < maxBlockLevel) return false;
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
