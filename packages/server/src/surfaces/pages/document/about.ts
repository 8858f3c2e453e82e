import { ApiError } from "@svc/sdk";
import { findUserName } from "../../../domain/identity/accounts/queries.ts";
import { listConceptsOfDocument } from "../../../domain/knowledge/concepts/queries.ts";
import { markdownHtml } from "../rendering/markdown-html.ts";
import type { MemberVisit } from "../visit.ts";
import { titlesOf } from "./backlinks.ts";

const MOST = 10;

/** The pages that this one links to, each once. */
export async function readRelated(visit: MemberVisit, id: string) {
  const query = { direction: "outgoing", limit: 50 } as const;
  const { data } = await visit.api.get("/documents/{id}/relations", { path: { id }, query });
  const targets = data.flatMap(({ target_document_id: target, state }) =>
    target && target !== id && state === "ok" ? [target] : [],
  );
  const titles = await titlesOf(visit, [...new Set(targets)].slice(0, MOST));
  return [...titles].map(([target, title]) => ({ id: target, title }));
}

/** The summary; undefined if there is none, or if it would only repeat a short page. */
export async function readSummary(visit: MemberVisit, id: string, characters: number) {
  if (characters < 400) return undefined;
  try {
    const { data } = await visit.api.get("/documents/{id}/summary", { path: { id } });
    return data.status === "ready" && data.text.trim() !== ""
      ? { content: markdownHtml(data.text), isStale: data.freshness === "stale" }
      : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The concepts that cite this document, or a part of it, as evidence. */
export async function readConcepts({ app, viewer }: MemberVisit, id: string) {
  return listConceptsOfDocument(app.database.read, viewer.workspace.id, id, MOST);
}

/** The name of the document's last editor; null if it was not recorded. */
export const readLastAuthor = async ({ app }: MemberVisit, updatedBy: string | null): Promise<string | null> =>
  (updatedBy && (await findUserName(app.database.read, updatedBy))) || null;
