import { ApiError } from "@svc/sdk";
import { searchPage, searchResults } from "@svc/web/pages/library/search";
import { get, type MemberVisit, numberFrom, type Outcome, show } from "../visit.ts";
import { listBases } from "./browse-queries.ts";

/** Whole words, and where nothing has them, words that begin like the last one. */
async function find(visit: MemberVisit, q: string, isTyping: boolean) {
  const begun = asBeginning(q);
  if (isTyping && begun) return ask(visit, begun).catch(() => ask(visit, q));
  const found = await ask(visit, q);
  return found.total === 0 && begun ? ask(visit, begun).catch(() => found) : found;
}

/** `rel` as `rel*`: while one types, the last word may not be whole. Undefined where that cannot be meant. */
const asBeginning = (q: string): string | undefined =>
  /[\p{L}\p{N}]{2}$/u.test(q) && (q.match(/"/g)?.length ?? 0) % 2 === 0 ? `${q}*` : undefined;

async function ask(visit: MemberVisit, q: string) {
  const cursor = visit.query.get("cursor");
  const base = visit.query.get("base");
  const query = {
    q,
    mode: "topk" as const,
    ...(cursor && { cursor }),
    ...(base && { knowledge_base_id: numberFrom(base, "knowledge_base") }),
  };
  const { data, page, hits, projection } = await visit.api.get("/search/v2", { query });
  const more = new URLSearchParams({ q, ...(base && { base }), cursor: page.next_cursor ?? "" });
  const next = page.next_cursor && `/search?${more}`;
  return { hits: data, total: hits.total, documents: hits.documents, complete: projection.complete, next };
}

/** The page; with `part=results` only the list, for the script that searches while one types. */
async function showSearch(visit: MemberVisit): Promise<Outcome> {
  const q = (visit.query.get("q") ?? "").trim().slice(0, 512);
  const isPart = visit.query.get("part") === "results";
  const found = q === "" ? undefined : await find(visit, q, isPart).catch(complaintOf);
  const input = { q, ...(found && "wrong" in found ? { wrong: found.wrong } : { found }), now: Date.now() };
  if (!isPart) {
    const bases = await listBases(visit.app.database.read, visit.viewer.workspace.id);
    return show(searchPage({ ...input, bases, base: visit.query.get("base") ?? "" }));
  }
  return { raw: { contentType: "text/html; charset=utf-8", body: searchResults(input).text } };
}

/** A query that is refused is the asker's to put right; a cursor that went stale just begins anew. */
const complaintOf = (error: unknown): { wrong: string } => {
  if (error instanceof ApiError && error.status < 500 && error.status !== 404) return { wrong: error.message };
  throw error;
};

export const searchPages = [get("/search", showSearch)];
