import type { Token } from "markdown-it";
import { defined } from "../../defined.ts";

const taskMarker = /^\[([ xX])\](?:[ \t\n]+|$)/;
const calloutMarker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

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

/** Notes on a quote whether its first line is `[!KIND]`, and takes that line out. */
export function markQuotes(tokens: readonly Token[]): void {
  for (let i = 0; i + 2 < tokens.length; i++) {
    if (defined(tokens[i]).type !== "blockquote_open" || defined(tokens[i + 1]).type !== "paragraph_open") continue;
    const inline = tokens[i + 2]!;
    const match = calloutMarker.exec(inline.content);
    if (!match) continue;
    inline.content = inline.content.slice(match[0].length);
    defined(tokens[i]).meta = { kind: defined(match[1]).toLowerCase(), bare: inline.content === "" };
  }
}
