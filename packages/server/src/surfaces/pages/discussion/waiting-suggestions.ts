import type { WaitingSuggestion } from "@svc/web/server/pages/discussion/review-suggestions";
import { findDocument } from "../../../domain/library/documents/queries.ts";
import { titlesOf } from "../document/backlinks.ts";
import { canWriteIn, HOME, type MemberVisit } from "../visit.ts";

interface Filter {
  readonly knowledgeBaseId: number | undefined;
  readonly author: string | undefined;
}

const MOST = 50;

/** Open suggestions, oldest first. */
export async function readWaitingSuggestions(
  visit: MemberVisit,
  { knowledgeBaseId, author }: Filter,
): Promise<WaitingSuggestion[]> {
  const query = {
    status: "open" as const,
    limit: MOST,
    ...(knowledgeBaseId !== undefined && { knowledge_base_id: knowledgeBaseId }),
    ...(author !== undefined && { author }),
  };
  const { data } = await visit.api.get("/suggestions", { query });
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
export async function readAuthors({ api }: MemberVisit): Promise<{ id: string; name: string }[]> {
  const { data } = await api.get("/suggestions", { query: { status: "open", limit: MAX_FOR_AUTHORS } });
  const byId = new Map(data.map(({ author: { id, name } }) => [id, { id, name }]));
  return [...byId.values()].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The review page that a form was on, with its filters. */
export const reviewFrom = (from: string | null): string =>
  from !== null && (from === HOME || /^\/review(?:\?[\w=&%.-]*)?$/.test(from)) ? from : "/review";
