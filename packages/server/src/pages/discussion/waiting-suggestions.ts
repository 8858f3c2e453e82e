import type { WaitingSuggestion } from "@svc/web/pages/discussion/review-suggestions";
import { titlesOf } from "../document/backlinks.ts";
import type { MemberVisit } from "../visit.ts";

interface Filter {
  readonly knowledgeBaseId: number | undefined;
  readonly author: string | undefined;
}

const MOST = 50;

/** Suggestions that wait for a decision, the oldest first. */
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
  const titles = await titlesOf(visit, [...new Set(data.map(({ document_id }) => document_id))]);
  return data.map((suggestion) => ({
    id: suggestion.id,
    version: suggestion.version,
    documentId: suggestion.document_id,
    documentTitle: titles.get(suggestion.document_id) ?? suggestion.document_id,
    authorName: suggestion.author.name,
    isAgent: suggestion.author.agent,
    note: suggestion.note,
    createdAt: suggestion.created_at,
    changes: suggestion.changes
      .filter(({ state }) => state === "open" || state === "conflict")
      .map(({ before, after, state }) => ({
        before: before?.text ?? "",
        after: after?.text ?? "",
        isConflict: state === "conflict",
      })),
  }));
}
