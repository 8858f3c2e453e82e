import { defined } from "../defined.ts";
import type { Mark, Node } from "../types.ts";
import { pictureNames } from "./img-tag.ts";
import { rankOf } from "./marks.ts";
import { lostNames, type WriteContext, warn, warnLostAttrs } from "./warning.ts";

/** A stretch of inline content with the same marks: text, or one inline node. */
export interface InlineRun {
  text?: string;
  readonly node?: Node;
  readonly code: boolean;
  /** Marks that Markdown can write, by their key, with the index of the first run that lacks them. */
  readonly marks: ReadonlyMap<string, { readonly mark: Mark; until: number }>;
}

const keptAttrs: Readonly<Record<string, readonly string[]>> = { link: ["href", "title", "embed", "wiki"] };
const writable = new Set("bold italic strike underline link highlight subscript superscript kbd".split(" "));
const inlineAttrs: Readonly<Record<string, readonly string[]>> = {
  inlineMath: ["latex"],
  footnoteReference: ["label"],
  inlineRawHtml: ["html"],
  mention: ["kind", "id", "label"],
  emoji: ["name", "emoji"],
};

/** The key of a mark that Markdown can write: equal for equal marks. */
export const markKey = (mark: Mark): string =>
  mark.type === "link"
    ? `link ${JSON.stringify([mark.attrs?.href ?? "", mark.attrs?.title ?? "", mark.attrs?.embed === true])}`
    : mark.type;

function warnLostMark(ctx: WriteContext, mark: Mark): void {
  for (const name of lostNames(mark.attrs, keptAttrs[mark.type] ?? []))
    warn(ctx, "mark_lost", mark.type, `Markdown has no place for ${mark.type}'s ${name.slice(0, 64)}.`);
}

const none: InlineRun["marks"] = new Map();

function marksOf(node: Node, ctx: WriteContext): InlineRun["marks"] {
  if (!node.marks || node.marks.length === 0) return none;
  const marks = new Map<string, { mark: Mark; until: number }>();
  for (const mark of node.marks.length === 1 ? node.marks : node.marks.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    warnLostMark(ctx, mark);
    if (!writable.has(mark.type)) continue;
    if (mark.type === "link" && node.type === "footnoteReference")
      warn(ctx, "mark_lost", mark.type, "A footnote reference cannot be inside a link.");
    else marks.set(markKey(mark), { mark, until: 0 });
  }
  return marks;
}

const sameKeys = (a: InlineRun["marks"], b: InlineRun["marks"]): boolean => {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) if (!b.has(key)) return false;
  return true;
};

function measure(runs: readonly InlineRun[]): void {
  for (let i = runs.length - 1; i >= 0; i--)
    for (const [key, entry] of defined(runs[i]).marks) entry.until = runs[i + 1]?.marks.get(key)?.until ?? i + 1;
}

/** Joins text whose marks are written alike, and finds how far each mark reaches. */
export function inlineRuns(content: readonly Node[], ctx: WriteContext): readonly InlineRun[] {
  const runs: InlineRun[] = [];
  for (const node of content) {
    const marks = marksOf(node, ctx);
    if (node.type !== "text") {
      warnLostAttrs(ctx, node, node.type === "inlineImage" ? pictureNames(node) : (inlineAttrs[node.type] ?? []));
      runs.push({ node, code: false, marks });
      continue;
    }
    if (!node.text) continue;
    const code = node.marks?.some((mark) => mark.type === "code") ?? false;
    const last = runs.at(-1);
    if (last?.text !== undefined && last.code === code && sameKeys(last.marks, marks)) last.text += node.text;
    else runs.push({ text: node.text, code, marks });
  }
  measure(runs);
  return runs;
}
