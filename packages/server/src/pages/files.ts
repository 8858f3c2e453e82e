import { get, type MemberVisit, type Outcome } from "./visit.ts";

const ROUTE = "GET /attachments/{id}";
const PASSED_ON = ["range", "if-none-match"] as const;

/** An attachment for a page that shows it: the API's own download, opened by the session. */
async function showFile(visit: MemberVisit): Promise<Outcome> {
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (typeof visit.headers[name] === "string" ? [[name, visit.headers[name]]] : [])),
  );
  const answer = await visit.api.answer(visit, ROUTE, { params: { id: visit.params.id ?? "" }, headers });
  return {
    status: answer.status ?? 200,
    headers: { ...answer.headers, "cache-control": "private, no-cache" },
    raw: { contentType: answer.raw?.contentType ?? "application/octet-stream", body: answer.raw?.body ?? "" },
  };
}

export const filePages = [get("/files/:id", showFile)];
