import { Readable } from "node:stream";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post } from "../visit.ts";

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

/** The files of a document. */
export async function readFiles(visit: MemberVisit, id: string) {
  const { data } = await visit.api.get("/documents/{id}/attachments", { path: { id } });
  return data.map((file) => ({ id: file.id, name: file.file_name, bytes: file.size, uses: file.reference_count }));
}

/** Only a file that the text does not show: the API refuses the others. */
async function deleteFile(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  await visit.api.delete("/attachments/{id}", { path: { id: idFrom(visit.params.file, "attachment") } });
  return goTo(`/documents/${id}`, "file-deleted");
}

/** What the API tells of the connection to its own callers is not for pages. */
const API_ONLY = /^(access-control-|x-ratelimit-|connection$|transfer-encoding$|date$|content-type$)/;

export const pageHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !API_ONLY.test(name)));

export const filePages = [get("/files/:id", showFile), post("/documents/:id/files/:file/delete", deleteFile)];
