import { reviewPage } from "@svc/web/pages/review";
import { ApiError, notFound } from "../errors.ts";
import { titlesOf } from "./backlinks.ts";
import { listBases } from "./browse-queries.ts";
import { readWaitingVariants } from "./translations.ts";
import { canWrite, get, goTo, type MemberVisit, type Outcome, post, show } from "./visit.ts";

const LIST = "GET /concept-candidates";
const EXTRACT = "POST /concept-candidates/extract";

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: "title" | "link";
  readonly version: string;
  readonly freshness: "current" | "stale";
  readonly source_document_id: string;
  readonly source_block_id: string | null;
  readonly created_at: number;
}

interface Listed {
  readonly data: readonly Candidate[];
  readonly page: { readonly next_cursor: string | null };
}

type Extracted = { readonly created: number; readonly refreshed: number };

async function showReview(
  visit: MemberVisit,
  more: { wrong?: string; extracted?: Extracted } = {},
  status = 200,
): Promise<Outcome> {
  const { viewer, api, app, query } = visit;
  const cursor = query.get("cursor");
  const filter = { status: "pending", limit: "50", ...(cursor && { cursor }) };
  const { data, page } = await api.call<Listed>(visit, LIST, { query: filter });
  const titles = await titlesOf(visit, [...new Set(data.map((candidate) => candidate.source_document_id))]);
  const bases = await listBases(app.database.read, viewer.workspace.id);
  return show(
    reviewPage({
      formToken: visit.formToken,
      canWrite: canWrite(visit),
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
      })),
      next: page.next_cursor ? `/review?cursor=${encodeURIComponent(page.next_cursor)}` : undefined,
      translations: await readWaitingVariants(visit),
      extracted: more.extracted,
      now: Date.now(),
      wrong: more.wrong,
    }),
    status,
  );
}

/** Accepts or rejects what the person saw: a candidate that changed since is shown again instead. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const answer = visit.form.get("answer") === "accept" ? "accept" : "reject";
  const params = { id: visit.form.get("candidate") ?? "" };
  const ifMatch = visit.form.get("version") ?? "";
  try {
    await visit.api.call(visit, `POST /concept-candidates/{id}/${answer}`, { params, ifMatch });
    return goTo("/review", `${answer}ed`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return showReview(visit, { wrong: error.message }, 409);
    throw error;
  }
}

async function extract(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("base") ?? "";
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound("knowledge_base", id);
  const body = { knowledge_base_id: Number(id) };
  const { data } = await visit.api.call<{ data: Extracted }>(visit, EXTRACT, { body });
  return showReview(visit, { extracted: data });
}

export const reviewPages = [
  get("/review", (visit) => showReview(visit)),
  post("/review", decide),
  post("/review/extract", extract),
];
