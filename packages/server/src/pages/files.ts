import { Readable } from "node:stream";
import { get, idFrom, type MemberVisit, type Outcome } from "./visit.ts";

const PASSED_ON = ["range", "if-none-match"] as const;

/** An attachment for a page that shows it: the API's own download, opened by the session. */
async function showFile(visit: MemberVisit): Promise<Outcome> {
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (typeof visit.headers[name] === "string" ? [[name, visit.headers[name]]] : [])),
  );
  const path = { id: idFrom(visit.params.id, "attachment") };
  const answer = await visit.api.raw("get", "/attachments/{id}", { path, headers });
  return {
    status: answer.status,
    headers: { ...pageHeaders(answer.headers), "cache-control": "private, no-cache" },
    raw: {
      contentType: answer.headers.get("content-type") ?? "application/octet-stream",
      body: answer.body ? Readable.fromWeb(answer.body as never) : "",
    },
  };
}

/** What the API tells of the connection to its own callers is not for pages. */
const API_ONLY = /^(access-control-|x-ratelimit-|connection$|transfer-encoding$|date$|content-type$)/;

export const pageHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !API_ONLY.test(name)));

export const filePages = [get("/files/:id", showFile)];
