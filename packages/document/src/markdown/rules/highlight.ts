import type { Delimiter, MarkdownIt, StateInline } from "markdown-it";
import { defined } from "../../defined.ts";

const EQUALS = 61;

const isAsciiWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;

/** `==text==`, as Obsidian has it. Between Latin letters and digits two equals signs are an operator. */
function highlight(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state;
  if (silent || src.charCodeAt(pos) !== EQUALS) return false;
  const { length, can_open, can_close } = state.scanDelims(pos, true);
  const token = state.push("text", "", 0);
  token.content = src.slice(pos, pos + length);
  state.pos += length;
  if (length !== 2) return true;
  const open = can_open && !(pos > 0 && isAsciiWord(src.charCodeAt(pos - 1)));
  const close = can_close && !(state.pos < state.posMax && isAsciiWord(src.charCodeAt(state.pos)));
  if (open || close)
    state.delimiters.push({ marker: EQUALS, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  return true;
}

function markPairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const { marker, end, token } of delimiters) {
    if (marker !== EQUALS || end < 0) continue;
    const last = defined(delimiters[end]).token;
    for (const [index, nesting] of [
      [token, 1],
      [last, -1],
    ] as const)
      Object.assign(defined(state.tokens[index]), {
        type: nesting === 1 ? "mark_open" : "mark_close",
        tag: "mark",
        nesting,
        markup: "==",
        content: "",
      });
  }
}

function finish(state: StateInline): boolean {
  markPairs(state, state.delimiters);
  for (const meta of state.tokens_meta) if (meta?.delimiters) markPairs(state, meta.delimiters);
  return true;
}

export const highlightRule = (md: MarkdownIt): void => {
  md.inline.ruler.before("emphasis", "highlight", highlight);
  md.inline.ruler2.before("emphasis", "highlight", finish);
};
