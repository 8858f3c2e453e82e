import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { type Client, type Document, isApiError } from "@svc/sdk";
import { refusalText } from "./refusal.ts";
import type { Session } from "./session.ts";
import { conceptText } from "./tools/knowledge/get-concepts.ts";

const MARKDOWN = "text/markdown";
const PER_PAGE = 50;

/** Templates of addresses: only documents are listed; blocks and concepts are read by their address. */
export const resourceTemplates = [
  {
    name: "document",
    title: "Document",
    uriTemplate: "svc://doc/{document_id}",
    description: "The whole text of a document as Markdown.",
    mimeType: MARKDOWN,
  },
  {
    name: "block",
    title: "Block of a document",
    uriTemplate: "svc://doc/{document_id}#block={block_id}",
    description: "One block as Markdown, as links and search hits name it.",
    mimeType: MARKDOWN,
  },
  {
    name: "concept",
    title: "Concept",
    uriTemplate: "svc://concept/{concept_id}",
    description: "A concept with its aliases, evidence and relations, as Markdown.",
    mimeType: MARKDOWN,
  },
];

/** Lists documents, the most recently changed first. */
export async function listResources({ client }: Session, cursor: string | undefined): Promise<ListResourcesResult> {
  const query = { sort: "updated_at" as const, limit: PER_PAGE, cursor };
  const { data, page } = await client.get("/documents", { query }).catch(refuse);
  return {
    resources: data.map(resourceOf),
    ...(page.next_cursor !== null && { nextCursor: page.next_cursor }),
  };
}

const resourceOf = (document: Document) => ({
  uri: document.uri,
  name: document.title,
  title: document.title,
  mimeType: MARKDOWN,
  annotations: { lastModified: new Date(document.updated_at).toISOString() },
  _meta: { version: document.version, knowledge_base_id: document.knowledge_base_id, folder_id: document.folder_id },
});

const ADDRESS = /^svc:\/\/(doc|concept)\/([\w-]{1,64})(?:#block=([\w-]{1,64}))?$/;

export async function readResource({ client }: Session, uri: string): Promise<ReadResourceResult> {
  const [, kind, id, blockId] = ADDRESS.exec(uri) ?? [];
  if (id === undefined || (kind === "concept" && blockId !== undefined)) throw new ResourceNotFoundError(uri);
  try {
    const { text, version } = await contentOf(client, kind === "concept" ? { conceptId: id } : { id, blockId });
    return { contents: [{ uri, mimeType: MARKDOWN, text, _meta: { version } }] };
  } catch (error) {
    if (isApiError(error, "not_found")) throw new ResourceNotFoundError(uri);
    return refuse(error);
  }
}

interface Wanted {
  readonly id?: string;
  readonly blockId?: string | undefined;
  readonly conceptId?: string;
}

async function contentOf(
  client: Client,
  { id = "", blockId, conceptId }: Wanted,
): Promise<{ text: string; version: string }> {
  if (conceptId !== undefined) {
    const { data } = await client.get("/concepts/{id}", { path: { id: conceptId } });
    return { text: conceptText(data), version: data.version };
  }
  if (blockId !== undefined) {
    const path = { id, blockId };
    const { data } = await client.get("/documents/{id}/blocks/{blockId}", { path, query: { format: "markdown" } });
    return { text: data.markdown ?? data.text, version: data.version };
  }
  const { data } = await client.get("/documents/{id}/content", { path: { id }, query: { format: "markdown" } });
  return { text: data.content ?? "", version: data.version };
}

/** Converts an error of the service to an error of the protocol. */
function refuse(error: unknown): never {
  const text = refusalText(error);
  if (text === undefined) throw error;
  const isTheirs = isApiError(error) && error.status < 500 && error.status !== 429;
  throw new ProtocolError(isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, text);
}
