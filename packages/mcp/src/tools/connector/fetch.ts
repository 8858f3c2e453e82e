import type { Client } from "@svc/sdk";
import * as z from "zod";
import type { Session } from "../../session.ts";
import { readingTool } from "../../tool.ts";
import { asJson, pageUrl } from "./search.ts";

/** Characters of a page or file that one answer has. */
const MAX_CHARACTERS = 400_000;
/** Tokens of a file's text. */
const MAX_TOKENS = 100_000;

const output = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.string()),
});

/** `fetch` as connectors of ChatGPT expect it: a whole page as Markdown, or the text of a file. */
export const connectorFetch = readingTool({
  name: "fetch",
  title: "Fetch",
  set: "connector",
  description: "Returns the whole text of a page or file that search found, by its id.",
  scopes: ["documents:read"],
  input: z.strictObject({ id: z.string().min(1).max(64) }),
  output,
  run: async (client, { id }, session) =>
    asJson(await (id.startsWith("att_") ? fetchFile(client, id, session) : fetchPage(client, id, session))),
});

async function fetchPage(client: Client, id: string, session: Session) {
  const { data: document } = await client.get("/documents/{id}", { path: { id } });
  const { data: path } = await client.get("/documents/{id}/path", { path: { id } });
  const { data } = await client.get("/documents/{id}/content", { path: { id }, query: { format: "markdown" } });
  const text = data.content ?? "";
  const metadata = {
    path: path.path_text,
    version: data.version,
    updated_at: new Date(document.updated_at).toISOString(),
    ...(text.length > MAX_CHARACTERS && { truncated: "true" }),
  };
  return { id, title: document.title, text: text.slice(0, MAX_CHARACTERS), url: pageUrl(session, id), metadata };
}

async function fetchFile(client: Client, id: string, session: Session) {
  const query = { max_tokens: MAX_TOKENS };
  const { data } = await client.get("/attachments/{id}/text", { path: { id }, query });
  const isCut = data.truncated || data.next_page !== null || data.pages.some(({ is_cut }) => is_cut);
  return {
    id,
    title: data.file_name,
    text: data.pages.map(({ text }) => text).join("\n\n"),
    url: pageUrl(session, data.document_id, id),
    metadata: { document_id: data.document_id, text_status: data.text_status, ...(isCut && { truncated: "true" }) },
  };
}
