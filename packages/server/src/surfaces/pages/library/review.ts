import { ApiError } from "@svc/sdk";
import { reviewPage, type Shown } from "@svc/web/server/pages/library/review";
import { listPage } from "../../../domain/knowledge/concept-candidates/list-page.ts";
import { rejectedCandidate } from "../discussion/undo-decision.ts";
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

const kinds: readonly Shown[] = ["suggestions", "translations", "concepts"];

type Extracted = { readonly created: number; readonly refreshed: number };

async function showReview(
  visit: MemberVisit,
  more: { wrong?: string; extracted?: Extracted; show?: Shown } = {},
  status = 200,
): Promise<Outcome> {
  const { viewer, app, query } = visit;
  const { read } = app.database;
  const cursor = query.get("cursor");
  const filter = { status: "pending" as const, limit: 50, ...(cursor && { cursor }) };
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
  const counts = { suggestions: suggestions.length, translations: translations.length, concepts: data.length };
  // Without a choice it opens the first list that has something.
  const shown =
    kinds.find((kind) => kind === (more.show ?? query.get("show"))) ??
    kinds.find((kind) => counts[kind] > 0) ??
    "suggestions";
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
      next: page.next_cursor ? `/review?show=concepts&cursor=${encodeURIComponent(page.next_cursor)}` : undefined,
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
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "/review" : `/review?${query}`;
}

type Answer = "accept" | "reject";

/** The decisions of the form: one candidate by its own button, or all that are selected. */
function decisionsOf({ form }: MemberVisit): { readonly answer: Answer; readonly values: readonly string[] } {
  for (const answer of ["accept", "reject"] as const)
    if (form.has(answer)) return { answer, values: form.getAll(answer) };
  return { answer: form.get("answer") === "accept" ? "accept" : "reject", values: form.getAll("candidate") };
}

/** Accepts or rejects candidates as they were shown; those that changed since are shown again. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const { answer, values } = decisionsOf(visit);
  const complaints: string[] = [];
  let last: { id: string; version: string } | undefined;
  for (const value of values) {
    const [text, version = ""] = value.split(" ");
    const id = idFrom(text, "concept_candidate");
    const ifMatch = versionFrom(new URLSearchParams({ version }));
    try {
      const { data } = await visit.api.post(`/concept-candidates/{id}/${answer}`, { path: { id }, ifMatch });
      last = { id, version: "version" in data ? data.version : "" };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      complaints.push(error.message);
    }
  }
  if (complaints.length > 0) return showReview(visit, { wrong: complaints[0] ?? "", show: "concepts" }, 409);
  const back = reviewFrom(visit.form.get("from"));
  if (values.length === 0) return goTo(back, "nothing-selected");
  if (values.length > 1) return goTo(back, `${answer}ed-several`);
  return goTo(back, answer === "reject" && last ? rejectedCandidate(last) : `${answer}ed`);
}

/** Takes the rejection of a candidate back. */
async function reopen({ api, form }: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(form.get("candidate"), "concept_candidate") };
  try {
    await api.post("/concept-candidates/{id}/reopen", { path, ifMatch: versionFrom(form) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return goTo("/review?show=concepts", "undo-too-late");
    throw error;
  }
  return goTo("/review?show=concepts", "candidate-reopened");
}

async function extract(visit: MemberVisit): Promise<Outcome> {
  const body = { knowledge_base_id: numberFrom(visit.form.get("base"), "knowledge_base") };
  const { data } = await visit.api.post("/concept-candidates/extract", { body });
  return showReview(visit, { extracted: data, show: "concepts" });
}

export const reviewPages = [
  get("/review", (visit) => showReview(visit)),
  post("/review", decide),
  post("/review/reopen", reopen),
  post("/review/extract", extract),
];
