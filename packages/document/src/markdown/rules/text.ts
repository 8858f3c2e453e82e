import type { MarkdownIt, StateCore, StateInline } from "markdown-it";
import { defined } from "../../defined.ts";
import { textToken } from "../lean-states.ts";

/** Characters at which an inline rule may begin or a label end. Everything else is text. */
const special = /[\n!$%&*<=[\\\]_`~]/;
const nextSpecial = new RegExp(special, "g");

/** Takes the text up to the next special character. */
function text(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  nextSpecial.lastIndex = pos;
  const end = nextSpecial.test(src) ? Math.min(nextSpecial.lastIndex - 1, posMax) : posMax;
  if (end === pos) return false;
  if (!silent) state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

/** Reads the texts of all blocks. One without a special character is a single token. */
function inline({ tokens, md, env }: StateCore): void {
  for (const { type, content, children } of tokens) {
    if (type !== "inline") continue;
    if (special.test(content)) md.inline.parse(content, md, env, children!);
    else if (content !== "") defined(children).push(textToken(content, 0));
  }
}

export const textRules = (md: MarkdownIt): void => {
  md.inline.ruler.at("text", text);
  md.core.ruler.at("inline", inline);
};
