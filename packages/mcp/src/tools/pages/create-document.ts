import type { Client } from "@svc/sdk";
import * as z from "zod";
import { folderId, knowledgeBaseId, markdown, name, place } from "../../arguments.ts";
import { findDocument } from "../../names/find-document.ts";
import { findPlace } from "../../names/find-place.ts";
import { short } from "../../short.ts";
import { oneLine } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

export const createDocument = writingTool({
  name: "create_document",
  title: "Create a document",
  set: "core",
  description:
    "Creates a document. The title is not part of the text: do not repeat it as a heading. Links: [text](svc://doc/<id>).",
  scopes: ["documents:write"],
  hidden: ["knowledge_base_id", "folder_id"],
  input: z.strictObject({
    title: name("").describe(""),
    in: place.optional().describe("Base or Base/Folder."),
    markdown: markdown("").default(""),
    template: place.optional().describe("Document to copy instead."),
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
  }),
  run: async (client, { markdown: content, title, template, ...given }) => {
    const body = { title, ...(await placeOf(client, given)) };
    const { data } = template
      ? await copyOf(client, template, content, body)
      : await client.post("/documents", {
          body: { ...body, ...(content !== "" && { content: { format: "markdown", content } }) },
        });
    return { text: `Created document ${short(data.id)}.` };
  },
});

/** Copies a template, which has its own text. */
async function copyOf(client: Client, template: string, content: string, body: CopyBody) {
  if (content !== "")
    throw new UsageError("**invalid_arguments**: template and markdown exclude each other.", "leave one of them out.");
  const id = await findDocument(client, template);
  return client.post("/documents/{id}/copy", { path: { id }, body });
}

interface CopyBody {
  readonly title: string;
  readonly knowledge_base_id: number;
  readonly folder_id?: number | null | undefined;
}

interface Given {
  readonly in?: string | undefined;
  readonly knowledge_base_id?: number | undefined;
  readonly folder_id?: number | undefined;
}

async function placeOf(client: Client, { in: path, knowledge_base_id, folder_id }: Given) {
  if (path !== undefined) return findPlace(client, path);
  if (knowledge_base_id !== undefined) return { knowledge_base_id, folder_id };
  if (folder_id !== undefined) {
    const { data } = await client.get("/folders/{id}", { path: { id: folder_id } });
    return { knowledge_base_id: data.knowledge_base_id, folder_id };
  }
  const { data: bases } = await client.get("/knowledge-bases", { query: { limit: 20 } });
  if (bases.length === 1) return { knowledge_base_id: bases[0]!.id };
  const names = bases.map((base) => oneLine(base.name, 60)).join(", ");
  throw new UsageError(
    `**invalid_arguments**: in is missing. Knowledge bases: ${names || "none"}.`,
    "name one of them.",
  );
}
