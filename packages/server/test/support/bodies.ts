import type { Node } from "@svc/document/types";
import { assertStatus, type Client, type Loose } from "./client.ts";

export const tiptap = (...content: readonly Loose[]) => ({ format: "tiptap-json", document: { type: "doc", content } });

/** A document with these top-level nodes, in a knowledge base of its own. */
export async function makeBody(client: Client, nodes: readonly Node[], fields: Loose = {}): Promise<Loose> {
  const { data: base } = await client.post("/knowledge-bases", { name: "Base" });
  const body = { title: "Title", knowledge_base_id: base.id, content: tiptap(...nodes), ...fields };
  return assertStatus(await client.post("/documents", body), 201).data;
}

/** The body's nodes as they are stored, and its version. */
export async function readNodes(client: Client, id: string): Promise<{ nodes: Loose[]; version: string }> {
  const { data } = assertStatus(await client.get(`/documents/${id}/content`), 200);
  return { nodes: data.document.content, version: data.version };
}

/** The id of each top-level block. */
export async function blockIds(client: Client, id: string): Promise<string[]> {
  return (await client.get(`/documents/${id}/blocks`)).data.map((block: Loose) => block.id);
}

/** The text of each top-level block. */
export async function textsOf(client: Client, id: string): Promise<string[]> {
  return (await client.get(`/documents/${id}/blocks`)).data.map((block: Loose) => block.text);
}

/** Rows that a write must not touch when it changes nothing. */
export async function traces(client: Client, id: string): Promise<Loose> {
  const [document, versions] = await Promise.all([
    client.get(`/documents/${id}`),
    client.get(`/documents/${id}/versions`),
  ]);
  return { document: document.data, versions: versions.data };
}
