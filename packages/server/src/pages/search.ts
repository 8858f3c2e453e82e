import { ApiError } from "@svc/sdk";
import { searchPage, searchResults } from "@svc/web/pages/search";
import { get, type MemberVisit, type Outcome, show } from "./visit.ts";

async function find(visit: MemberVisit, q: string) {
  const cursor = visit.query.get("cursor");
  const query = { q, mode: "topk" as const, ...(cursor && { cursor }) };
  const { data, page, hits, projection } = await visit.api.get("/search/v2", { query });
  const next = page.next_cursor && `/search?${new URLSearchParams({ q, cursor: page.next_cursor })}`;
  return { hits: data, total: hits.total, documents: hits.documents, complete: projection.complete, next };
}

/** The page; with `part=results` only the list, for the script that searches while one types. */
async function showSearch(visit: MemberVisit): Promise<Outcome> {
  const q = (visit.query.get("q") ?? "").trim().slice(0, 512);
  const found = q === "" ? undefined : await find(visit, q).catch(complaintOf);
  const input = { q, ...(found && "wrong" in found ? { wrong: found.wrong } : { found }), now: Date.now() };
  if (visit.query.get("part") !== "results") return show(searchPage(input));
  return { raw: { contentType: "text/html; charset=utf-8", body: searchResults(input).text } };
}

/** A query that is refused is the asker's to put right; a cursor that went stale just begins anew. */
const complaintOf = (error: unknown): { wrong: string } => {
  if (error instanceof ApiError && error.status < 500 && error.status !== 404) return { wrong: error.message };
  throw error;
};

export const searchPages = [get("/search", showSearch)];
