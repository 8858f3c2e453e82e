import type { SummaryScope } from "../../../db/schema/tables/summaries.ts";
import { findUserName } from "../../../domain/identity/accounts/queries.ts";
import { listConceptsOfDocument } from "../../../domain/knowledge/concepts/queries.ts";
import { listRelations } from "../../../domain/knowledge/relations/list-relations.ts";
import { ownVias } from "../../../domain/knowledge/relations/target.ts";
import { readSummary as readStoredSummary } from "../../../domain/knowledge/summaries/represent.ts";
import { loadTarget } from "../../../domain/knowledge/summaries/target.ts";
import { markdownHtml } from "../rendering/markdown-html.ts";
import type { MemberVisit } from "../visit.ts";
import { titlesOf } from "./backlinks.ts";

const MAX_SHOWN = 10;

/** The pages that this one links to, each once. */
export async function readRelated(visit: MemberVisit, id: string) {
  const { app, viewer, baseUrl } = visit;
  const answer = await listRelations(app, app.database.read, {
    workspaceId: viewer.workspace.id,
    documentId: id,
    query: { direction: "outgoing", limit: 50 },
    vias: ownVias(baseUrl),
  });
  const { data } = answer.envelope;
  const targets = data.flatMap(({ target_document_id: target, state }) =>
    target && target !== id && state === "ok" ? [target] : [],
  );
  const titles = await titlesOf(visit, [...new Set(targets)].slice(0, MAX_SHOWN));
  return [...titles].map(([target, title]) => ({ id: target, title }));
}

/** The summary; undefined if there is none, or if it would only repeat a short page. */
export async function readSummary(visit: MemberVisit, id: string, characters: number) {
  return characters < 400 ? undefined : readSummaryOf(visit, "document", id);
}

/** The summary of a page, a folder or a knowledge base; undefined if there is none. */
export async function readSummaryOf({ app, viewer }: MemberVisit, scope: SummaryScope, id: string | number) {
  const { read } = app.database;
  const key = { workspaceId: viewer.workspace.id, scope, targetId: String(id), blockId: "" };
  const { status, text, freshness } = await readStoredSummary(read, await loadTarget(read, key));
  return status === "ready" && text.trim() !== ""
    ? { content: markdownHtml(text), isStale: freshness === "stale" }
    : undefined;
}

/** The concepts that cite this document, or a part of it, as evidence. */
export async function readConcepts({ app, viewer }: MemberVisit, id: string) {
  return listConceptsOfDocument(app.database.read, viewer.workspace.id, id, MAX_SHOWN);
}

/** The name of the document's last editor; null if it was not recorded. */
export const readLastAuthor = async ({ app }: MemberVisit, updatedBy: string | null): Promise<string | null> =>
  (updatedBy && (await findUserName(app.database.read, updatedBy))) || null;
