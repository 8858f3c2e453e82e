/** Marks open suggestions in the rendered text of a page, so that readers without scripts see them, too. */
import { markChange, type TextMark } from "@svc/document/suggest/place-runs";
import { type Html, html, trusted } from "@svc/web/shared/html";
import { decodeHTML } from "entities";

/** A change to mark: in the block `at`, or behind it. */
export interface MarkedChange {
  readonly type: "added" | "removed" | "modified" | "moved";
  readonly at: string;
  readonly before: string;
  readonly after: string;
}

/** Tags, character references and text between them. The renderer escapes every `>` in an attribute. */
const TOKEN = /<[^>]*>|&[^;\s<]+;|[^<&]+|&/g;

const isTag = (token: string): boolean => token.startsWith("<");
const textOf = (token: string): string => (token.startsWith("&") ? decodeHTML(token) : token);

/** Formulas show other characters than their source. */
const OPAQUE = /<math[\s>]/;

const escaped = (text: string): string => html`${text}`.text;
const inserted = (text: string): string => (text === "" ? "" : `<ins class="change-added">${escaped(text)}</ins>`);

/** Marks one block's changed words; a block that shows something else than its text stays as it is. */
export function markWords(block: string, before: string, after: string): string {
  if (OPAQUE.test(block)) return block;
  const tokens = block.match(TOKEN) ?? [];
  const shown = tokens.map((token) => (isTag(token) ? "" : textOf(token))).join("");
  const marks = markChange(shown, before, after);
  let at = 0;
  let made = "";
  for (const token of tokens) {
    if (isTag(token)) made += token;
    else {
      const text = textOf(token);
      made += markToken(token, text, at, marks);
      at += text.length;
    }
  }
  return made;
}

/** Whether words are put in within this stretch: at its beginning only if it is the first of all. */
const isWithin = (position: number, from: number, to: number): boolean =>
  (position > from || (position === 0 && from === 0)) && position <= to;

function markToken(token: string, text: string, start: number, marks: readonly TextMark[]): string {
  const end = start + text.length;
  const own = marks.filter(({ from, to }) => (from < end && to > start) || isWithin(to, start, end));
  if (own.length === 0) return token;
  let made = "";
  let at = start;
  const plain = (to: number) => {
    made += escaped(text.slice(at - start, to - start));
    at = to;
  };
  for (const { from, to, inserted: words } of own) {
    plain(Math.max(at, Math.min(from, end)));
    const gone = Math.min(to, end);
    if (gone > at) {
      made += `<del class="change-gone">${escaped(text.slice(at - start, gone - start))}</del>`;
      at = gone;
    }
    if (isWithin(to, start, end)) made += inserted(words);
  }
  plain(end);
  return made;
}

const newBlock = (text: string): string => `<div class="suggested-block change-new">${escaped(text)}</div>`;

/** Returns the position of the block in the text of the page, or its length if it does not stand there. */
function beginOf(page: string, id: string): number {
  const at = page.indexOf(` id="${encodeURIComponent(id)}">`);
  return at < 0 ? page.length : page.lastIndexOf("<", at);
}

/** Marks the changes in the page; `ids` are its blocks in their order. */
export function markSuggestions(page: Html, ids: readonly string[], changes: readonly MarkedChange[]): Html {
  let text = page.text;
  for (const { type, at, before, after } of changes) {
    const next = ids[ids.indexOf(at) + 1];
    const from = at === "" ? 0 : beginOf(text, at);
    const end = next === undefined ? text.length : beginOf(text, next);
    if (type === "added") text = text.slice(0, end) + newBlock(after) + text.slice(end);
    else if (type === "removed") text = text.slice(0, from) + withClass(text.slice(from, end)) + text.slice(end);
    else if (type === "modified")
      text = text.slice(0, from) + markWords(text.slice(from, end), before, after) + text.slice(end);
  }
  return trusted(text);
}

const withClass = (block: string): string => block.replace('class="block', 'class="suggested-gone block');
