import type { StateCore, Token } from "markdown-it";
import { defined } from "../../defined.ts";
import { trimBlanks } from "../trim.ts";
import { MAX_CONTAINER_LEVEL } from "./nesting.ts";

const opening =
  /^[ \t]*<details(\s+open(?:\s*=\s*(?:""|''|open|"open"|'open'))?)?\s*>\s*(?:<summary>((?:(?!<\/summary>)[\s\S])*)<\/summary>\s*)?$/i;
const closing = /^[ \t]*<\/details>\s*$/i;

/** The parts of `<details>` for the mapper: its end, and its summary as an inline token. */
export interface DetailsMeta {
  readonly open: boolean;
  readonly close: Token;
  readonly summary: Token;
}

const summaryToken = (state: StateCore, content: string): Token => {
  const token = new state.Token("inline", "", 0);
  const lines = content.split("\n").map(trimBlanks);
  token.content = lines.filter((line) => line !== "").join(" ");
  token.children = [];
  return token;
};

function link(state: StateCore, openIndex: number, closeIndex: number): void {
  const token = defined(state.tokens[openIndex]);
  const match = defined(opening.exec(token.content));
  const summary = summaryToken(state, match[2] ?? "");
  state.md.inline.parse(summary.content, state.md, state.env, defined(summary.children));
  token.type = "details";
  token.meta = { open: match[1] !== undefined, close: defined(state.tokens[closeIndex]), summary };
  defined(state.tokens[closeIndex]).type = "details_close";
}

/** Pairs `<details>` with `</details>` of the same container. What has no partner stays raw HTML. */
export function pairDetails(state: StateCore): void {
  const frames: number[][] = [[]];
  let depth = 0;
  for (let i = 0; i < state.tokens.length; i++) {
    const token = defined(state.tokens[i]);
    if (token.nesting > 0) frames.push([]);
    else if (token.nesting < 0) depth -= defined(frames.pop()).length;
    else if (token.type === "html_block") {
      const frame = defined(frames.at(-1));
      if (frame.length > 0 && closing.test(token.content)) {
        link(state, defined(frame.pop()), i);
        depth--;
      } else if (token.level + depth < MAX_CONTAINER_LEVEL && opening.test(token.content)) {
        frame.push(i);
        depth++;
      }
    }
  }
}
