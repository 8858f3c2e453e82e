import { defined } from "@svc/document/defined";
import { type Client, eventsSince, type FolderNode, listAll, type Tree } from "@svc/sdk";
import type { Settings } from "./store.ts";

export interface RemoteFolder {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}

export interface RemoteDocument {
  readonly id: string;
  readonly title: string;
  readonly folder_id: number | null;
  /** Undefined if `version` is undefined. */
  readonly file_name?: string | null;
  readonly document_type: "document" | "spreadsheet";
  /** Whether it is its folder's index page: its file is then `index.md`, unless `file_name` is set. */
  readonly isIndex: boolean;
  /** Undefined if no event since the cursor reports a change of its body. */
  readonly version: string | undefined;
  /** The properties as JSON; undefined if `version` is undefined. */
  readonly properties?: string;
}

/** The current state of the knowledge base, and the position in its events. */
export interface Remote {
  readonly folders: Map<number, RemoteFolder>;
  readonly documents: Map<string, RemoteDocument>;
  readonly cursor: number;
  readonly history: string | undefined;
  /**
   * Whether the store was restored to an earlier state, as from a backup: its events belong to another history, or end
   * before the newest event seen.
   */
  readonly isPutBack: boolean;
}

/** Above this number of changed documents, listing all is faster than requesting each. */
const MANY = 50;

/**
 * Reads the knowledge base. With a cursor, requests only the documents that events name; folders have no events, so
 * the whole tree is read. Reads the position first, so that a concurrent change is seen again instead of missed.
 */
export async function readRemote(
  client: Client,
  { knowledge_base_id: knowledgeBase, cursor, newest = cursor ?? 0, history: known }: Settings,
  signal: AbortSignal | undefined,
): Promise<Remote> {
  const changed = new Set<string>();
  let everything = cursor === null;
  let position = cursor ?? 0;
  let history = known;
  for await (const page of eventsSince(client, cursor ?? undefined, { signal, limit: 1000, history: known })) {
    const { events, resumeFrom, syncRequired } = page;
    history = page.history;
    for (const { document_id } of events) if (document_id !== null) changed.add(document_id);
    everything ||= syncRequired;
    position = resumeFrom;
  }
  const isPutBack = position < newest || (known !== undefined && history !== known);
  const { data: tree } = await client.get("/knowledge-bases/{id}/tree", { path: { id: knowledgeBase }, signal });
  const remote = { ...flatten(tree), cursor: position, history, isPutBack };
  const asked = [...changed].filter((id) => remote.documents.has(id));
  if (everything || asked.length > MANY) await addAllVersions(client, knowledgeBase, remote, signal);
  else for (const id of asked) await addVersion(client, id, remote, signal);
  return remote;
}

function flatten({ children }: Tree): Pick<Remote, "folders" | "documents"> {
  const folders = new Map<number, RemoteFolder>();
  const documents = new Map<string, RemoteDocument>();
  const walk = (items: Tree["children"] | FolderNode["children"], parent: number | null, page: string | null): void => {
    for (const item of items) {
      if (item.type === "document") {
        const { id, title, document_type } = item;
        documents.set(id, { id, title, folder_id: parent, document_type, isIndex: id === page, version: undefined });
      } else {
        folders.set(item.id, { id: item.id, name: item.name, parent_id: parent });
        walk(item.children, item.id, item.index_document_id);
      }
    }
  };
  walk(children, null, null);
  return { folders, documents };
}

/** The name of a document's file if it is not the title; `known` applies if no newer name was read. */
export const fileNameOf = ({ file_name = null, version, isIndex }: RemoteDocument, known?: string | null) =>
  (version === undefined ? known : file_name) ?? (isIndex ? INDEX : null);

/** The file name of an index page. */
export const INDEX = "index";

type Documents = Pick<Remote, "documents">;

async function addAllVersions(
  client: Client,
  knowledge_base_id: number,
  { documents }: Documents,
  signal: AbortSignal | undefined,
) {
  const query = { knowledge_base_id, include_variants: true, limit: 100 };
  for await (const { id, version, properties, file_name } of listAll(client, "/documents", { query, signal })) {
    const known = documents.get(id);
    if (known) documents.set(id, { ...known, version, file_name, properties: JSON.stringify(properties) });
  }
}

async function addVersion(client: Client, id: string, { documents }: Documents, signal: AbortSignal | undefined) {
  const { data } = await client.get("/documents/{id}", { path: { id }, signal });
  const { version, properties, file_name } = data;
  documents.set(id, { ...defined(documents.get(id)), version, file_name, properties: JSON.stringify(properties) });
}
