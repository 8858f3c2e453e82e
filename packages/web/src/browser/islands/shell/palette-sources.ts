import { api } from "../common/api.ts";
import { at } from "../common/base-path.ts";
import { createDocument } from "../tree/changes.ts";
import { addressOf, type Container, treeItemOf } from "../tree/tree-item.ts";
import type { Entry } from "./commands.ts";

const toEntry = (document: { document_id: string; title: string; document_type: string }, hint?: string): Entry => ({
  key: document.document_id,
  label: document.title,
  href: at(`/documents/${document.document_id}`),
  icon: document.document_type === "document" ? "document" : "spreadsheet",
  ...(hint && { hint }),
});

/** Recently opened pages come first: most people go back. */
export async function readVisited(): Promise<Entry[]> {
  const { data } = await api.get("/me/recent", { query: { limit: 30 } });
  return data.map((document) => toEntry(document, "Recent"));
}

export async function findTitles(q: string, signal: AbortSignal): Promise<Entry[]> {
  const { data } = await api.get("/documents", { query: { q, limit: 10 }, signal });
  return data.map(({ id, title, document_type }) => toEntry({ document_id: id, title, document_type }));
}

const MAX_TEXTS = 5;
/** Characters of a match's surroundings. */
const AROUND = 80;

/** Pages whose text has the words, each with its best place; a query that cannot be searched finds none. */
export async function findTexts(q: string, signal: AbortSignal): Promise<Entry[]> {
  // The last word may be incomplete.
  const begun = /[\p{L}\p{N}]{3}$/u.test(q) && !q.includes('"') ? `${q}*` : q;
  const query = { q: begun, match: "best" as const, group_by: "document" as const, limit: MAX_TEXTS };
  const { data } = await api.get("/search/v2", { query, signal });
  return data.flatMap(({ document_id, title, document_type, hits: [best] = [] }) => {
    if (!best || best.matched_in === "title") return [];
    const { before, match, after } = best.context;
    const place = best.block_id ? `?block=${best.block_id}#${best.block_id}` : "";
    return {
      ...toEntry({ document_id, title, document_type }),
      key: `${document_id}:text`,
      href: at(`/documents/${document_id}${place}`),
      excerpt: `${before.slice(-AROUND)}${match}${after.slice(0, AROUND)}`,
    };
  });
}

/** The nearest place for a new page: of the page that is shown, else the first knowledge base one may write in. */
function containerHere(): Container | undefined {
  const current = document.querySelector<HTMLElement>("[data-tree] [aria-current=page]");
  const levels = '[data-may-write="1"] [data-kind=base], [data-may-write="1"] [data-kind=folder]';
  const above = current?.closest("[role=group]")?.parentElement?.querySelector<HTMLElement>(":scope > [role=treeitem]");
  for (const item of [current, above, document.querySelector<HTMLElement>(`[data-tree] > ${levels.split(",")[0]}`)]) {
    const place = item?.matches(levels) ? treeItemOf(item) : undefined;
    if (place && place.kind !== "document") return place;
  }
  return undefined;
}

/** Creates a page with this title, or one that asks for its title, and opens it. */
export async function createPage(title: string): Promise<void> {
  const place = containerHere();
  if (!place) return location.assign(at("/knowledge-bases"));
  const id = await createDocument(place, "document", title || "Untitled");
  location.assign(`${addressOf({ kind: "document", id })}/edit${title ? "" : "?rename=1"}`);
}
