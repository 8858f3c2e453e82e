import { ApiError } from "@svc/sdk";
import { reviewPage, type Shown } from "@svc/web/server/pages/library/review";
import { listPage } from "../../../domain/knowledge/concept-candidates/list-page.ts";
import { readAuthors, readWaitingSuggestions, reviewFrom } from "../discussion/waiting-suggestions.ts";
import { titlesOf } from "../document/backlinks.ts";
import { readWaitingVariants } from "../document/translations.ts";
import {
  canWriteIn,
  get,
  goTo,
  idFrom,
  type MemberVisit,
  numberFrom,
  type Outcome,
  post,
  show,
  versionFrom,
} from "../visit.ts";
import { listBases } from "./browse-queries.ts";

const kinds: readonly Shown[] = ["all", "suggestions", "concepts", "translations"];

type Extracted = { readonly created: number; readonly refreshed: number };

async function showReview(
  visit: MemberVisit,
  more: { wrong?: string; extracted?: Extracted } = {},
  status = 200,
): Promise<Outcome> {
  const { viewer, app, query } = visit;
  const { read } = app.database;
  const cursor = query.get("cursor");
  const filter = { status: "pending" as const, limit: 50, ...(cursor && { cursor }) };
  const shown = kinds.find((kind) => kind === query.get("show")) ?? "all";
  const author = /^[\w-]{1,64}$/.test(query.get("author") ?? "") ? (query.get("author") ?? undefined) : undefined;
  const baseId = /^[1-9]\d{0,14}$/.test(query.get("in") ?? "") ? Number(query.get("in")) : undefined;
  const [answer, bases, authors, suggestions, translations] = await Promise.all([
    listPage(app, read, viewer.workspace.id, filter),
    listBases(read, viewer.workspace.id),
    readAuthors(visit),
    readWaitingSuggestions(visit, { knowledgeBaseId: baseId, author }),
    readWaitingVariants(visit),
  ]);
  const { data, page } = answer.envelope;
  const titles = await titlesOf(visit, [...new Set(data.map((candidate) => candidate.source_document_id))]);
  return show(
    reviewPage({
      show: shown,
      baseId,
      author,
      authors,
      suggestions,
      here: addressOf({ show: shown, in: baseId, author }),
      formToken: visit.formToken,
      writable: bases.filter(({ id }) => canWriteIn(visit, id)).map(({ id, name }) => ({ id, name })),
      bases: bases.map(({ id, name }) => ({ id, name })),
      candidates: data.map((candidate) => ({
        id: candidate.id,
        name: candidate.name,
        kind: candidate.kind,
        version: candidate.version,
        isStale: candidate.freshness === "stale",
        documentId: candidate.source_document_id,
        documentTitle: titles.get(candidate.source_document_id) ?? candidate.source_document_id,
        blockId: candidate.source_block_id,
        createdAt: candidate.created_at,
        canDecide: canWriteIn(visit, candidate.knowledge_base_id),
      })),
      next: page.next_cursor ? `/review?cursor=${encodeURIComponent(page.next_cursor)}` : undefined,
      translations,
      extracted: more.extracted,
      now: Date.now(),
      wrong: more.wrong,
    }),
    status,
  );
}

/** The address of the list with these filters, without the empty ones. */
function addressOf(filters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== "all") query.set(name, String(value));
  return query.size === 0 ? "/review" : `/review?${query}`;
}

/** Accepts or rejects the candidate as it was shown; one that changed since is shown again. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const answer = visit.form.get("answer") === "accept" ? "accept" : "reject";
  const path = { id: idFrom(visit.form.get("candidate"), "concept_candidate") };
  const ifMatch = versionFrom(visit.form);
  try {
    await visit.api.post(`/concept-candidates/{id}/${answer}`, { path, ifMatch });
    return goTo(reviewFrom(visit.form.get("from")), `${answer}ed`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return showReview(visit, { wrong: error.message }, 409);
    throw error;
  }
}

async function extract(visit: MemberVisit): Promise<Outcome> {
  const body = { knowledge_base_id: numberFrom(visit.form.get("base"), "knowledge_base") };
  const { data } = await visit.api.post("/concept-candidates/extract", { body });
  return showReview(visit, { extracted: data });
}

export const reviewPages = [
  get("/review", (visit) => showReview(visit)),
  post("/review", decide),
  post("/review/extract", extract),
];
