import type { WaitingSuggestion } from "@svc/web/server/pages/discussion/review-suggestions";
import { listPage } from "../../../domain/discussion/suggestions/read-suggestions.ts";
import { findDocument } from "../../../domain/library/documents/queries.ts";
import { getKnowledgeBase } from "../../../domain/library/knowledge-bases/queries.ts";
import { titlesOf } from "../document/backlinks.ts";
import { canWriteIn, HOME, type MemberVisit } from "../visit.ts";

interface Filter {
  readonly knowledgeBaseId: number | undefined;
  readonly author: string | undefined;
}

const MAX_SHOWN = 50;

/** Open suggestions, oldest first. */
export async function readWaitingSuggestions(
  visit: MemberVisit,
  { knowledgeBaseId, author }: Filter,
): Promise<WaitingSuggestion[]> {
  const { app, viewer } = visit;
  const { read } = app.database;
  if (knowledgeBaseId !== undefined) await getKnowledgeBase(read, viewer.workspace.id, knowledgeBaseId);
  const filter = { knowledgeBaseId, status: "open" as const, author };
  const { data } = (await listPage(app, read, viewer.workspace.id, filter, { limit: MAX_SHOWN })).envelope;
  const ids = [...new Set(data.map(({ document_id }) => document_id))];
  const titles = await titlesOf(visit, ids);
  const decidable = await decidableOf(visit, ids);
  return data.map((suggestion) => ({
    id: suggestion.id,
    version: suggestion.version,
    documentId: suggestion.document_id,
    documentTitle: titles.get(suggestion.document_id) ?? suggestion.document_id,
    authorName: suggestion.author.name,
    isAgent: suggestion.author.agent,
    note: suggestion.note,
    createdAt: suggestion.created_at,
    canDecide: decidable.has(suggestion.document_id),
    changes: suggestion.changes
      .filter(({ state }) => state === "open" || state === "conflict")
      .map(({ before, after, state }) => ({
        before: before?.text ?? "",
        after: after?.text ?? "",
        isConflict: state === "conflict",
      })),
  }));
}

/** The documents among these that the person may write. */
async function decidableOf(visit: MemberVisit, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { read } = visit.app.database;
  const rows = await Promise.all(ids.map((id) => findDocument(read, visit.viewer.workspace.id, id)));
  return new Set(rows.flatMap((row) => (row && canWriteIn(visit, row.knowledge_base_id) ? [row.id] : [])));
}

/** How many suggestions are searched for authors. */
const MAX_FOR_AUTHORS = 100;

/** The authors of open suggestions. */
export async function readAuthors({ app, viewer }: MemberVisit): Promise<{ id: string; name: string }[]> {
  const filter = { knowledgeBaseId: undefined, status: "open" as const, author: undefined };
  const answer = await listPage(app, app.database.read, viewer.workspace.id, filter, { limit: MAX_FOR_AUTHORS });
  const { data } = answer.envelope;
  const byId = new Map(data.map(({ author: { id, name } }) => [id, { id, name }]));
  return [...byId.values()].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The review page that a form was on, with its filters. */
export const reviewFrom = (from: string | null): string =>
  from !== null && (from === HOME || /^\/review(?:\?[\w=&%.-]*)?$/.test(from)) ? from : "/review";
