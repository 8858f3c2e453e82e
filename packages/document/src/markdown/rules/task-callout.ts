import type { StateCore, Token } from "markdown-it";
import { defined } from "../../defined.ts";
import { lookupTable } from "../../lookup-table.ts";
import { trimBlanks } from "../trim.ts";

const taskMarker = /^\[([ xX])\](?:[ \t\n]+|$)/;
const calloutMarker = /^\[!([a-z]{1,12})\]([-+]?)(?:[ \t]+([^\n]*))?(?:\n|$)/i;

/** The kinds of callouts, and the kind for each other word of Obsidian. */
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
  /** Whether the marker's line is its whole paragraph. */
  readonly bare: boolean;
  /** The callout's title as an inline token. */
  readonly title: Token | undefined;
  /** The initial state of a foldable callout; undefined if it cannot be folded. */
  readonly fold: "open" | "closed" | undefined;
}

/** Marks bullet list items that begin with a checkbox, and removes the checkbox from the text. */
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

/** Marks quotes whose first line is `[!KIND]`, with an optional fold sign and title, and removes that line. */
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
    // An unknown kind becomes the title, as in the program that it comes from.
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
