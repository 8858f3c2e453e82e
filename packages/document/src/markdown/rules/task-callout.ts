import type { StateCore, Token } from "markdown-it";
import { defined } from "../../defined.ts";
import { lookupTable } from "../../lookup-table.ts";
import { trimBlanks } from "../trim.ts";

const taskMarker = /^\[([ xX])\](?:[ \t\n]+|$)/;
const calloutMarker = /^\[!([a-z]{1,12})\]([-+]?)(?:[ \t]+([^\n]*))?(?:\n|$)/i;

/** Our kinds, and what Obsidian's other words are among them. */
const kinds: Readonly<Record<string, string>> = lookupTable({
  note: "note",
  info: "note",
  todo: "note",
  abstract: "note",
  summary: "note",
  tldr: "note",
  question: "note",
  help: "note",
  faq: "note",
  example: "note",
  quote: "note",
  cite: "note",
  tip: "tip",
  hint: "tip",
  success: "tip",
  check: "tip",
  done: "tip",
  important: "important",
  warning: "warning",
  attention: "warning",
  failure: "warning",
  fail: "warning",
  missing: "warning",
  caution: "caution",
  danger: "caution",
  error: "caution",
  bug: "caution",
});

/** The parts of a callout for the mapper. */
export interface CalloutMeta {
  readonly kind: string;
  /** Nothing stands below the marker in its paragraph. */
  readonly bare: boolean;
  /** The words above the text, as an inline token. */
  readonly title: Token | undefined;
  /** Whether it can be folded, and how it is then shown at first. */
  readonly fold: "open" | "closed" | undefined;
}

/** Notes on a bullet list's item whether it begins with a checkbox, and takes the box out of the text. */
export function markTasks(tokens: readonly Token[]): void {
  for (let i = 0; i + 2 < tokens.length; i++) {
    const item = tokens[i]!;
    if (item.type !== "list_item_open" || item.info !== "" || defined(tokens[i + 1]).type !== "paragraph_open")
      continue;
    const inline = tokens[i + 2]!;
    const match = taskMarker.exec(inline.content);
    if (!match) continue;
    item.meta = { checked: match[1] !== " " };
    inline.content = inline.content.slice(match[0].length);
  }
}

/** A folded callout counts as two levels; deeper ones are not folded. */
const MAX_FOLD_LEVEL = 16;

/** Notes on a quote whether its first line is `[!KIND]`, with a title and the sign of a fold or without, and takes that line out. */
export function markQuotes(state: StateCore): void {
  const { tokens } = state;
  for (let i = 0; i + 2 < tokens.length; i++) {
    const quote = defined(tokens[i]);
    if (quote.type !== "blockquote_open" || defined(tokens[i + 1]).type !== "paragraph_open") continue;
    const inline = tokens[i + 2]!;
    const match = calloutMarker.exec(inline.content);
    const word = match?.[1]?.toLowerCase() ?? "";
    const kind = kinds[word];
    if (!match || kind === undefined) continue;
    const fold = match[2] === "" || quote.level > MAX_FOLD_LEVEL ? undefined : match[2] === "+" ? "open" : "closed";
    const said = trimBlanks(match[3] ?? "");
    // A word that is no kind of ours is kept as the title, as it is shown where it comes from.
    const title = said !== "" || (kind === word && !fold) ? said : word.charAt(0).toUpperCase() + word.slice(1);
    inline.content = inline.content.slice(match[0].length);
    const line = title === "" ? undefined : titleToken(state, title);
    quote.meta = { kind, bare: inline.content === "", title: line, fold } satisfies CalloutMeta;
  }
}

function titleToken(state: StateCore, content: string): Token {
  const token = new state.Token("inline", "", 0);
  token.content = content;
  token.children = [];
  state.md.inline.parse(content, state.md, state.env, token.children);
  return token;
}
