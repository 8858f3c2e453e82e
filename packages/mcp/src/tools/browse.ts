import type { Client, Document, DocumentItem, FolderItem, FolderNode, KnowledgeBase, TrashEntry } from "@svc/sdk";
import * as z from "zod";
import { cursor, folderId, knowledgeBaseId, limit, propertyFilter, propertyQuery } from "../arguments.ts";
import { facts, lines, more, oneLine, plural, time } from "../text.ts";
import { type Outcome, readingTool } from "../tool.ts";

export const browse = readingTool({
  name: "browse",
  title: "Browse",
  description:
    "Shows what there is. Without arguments: the workspace and its knowledge bases. With knowledge_base_id: its tree of folders and documents. With folder_id: what that folder holds. With recent true: documents by their last change, of everything or of that knowledge base. With trash true: what was deleted.",
  scopes: ["documents:read", "knowledge-bases:read"],
  input: z.strictObject({
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
    recent: z.boolean().default(false).describe("List documents, the last changed first."),
    title_contains: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("With recent: only documents with this in the title."),
    updated_since: z.string().max(40).optional().describe("With recent: ISO 8601; only what changed since then."),
    properties: propertyFilter.optional(),
    trash: z.boolean().default(false).describe("What was deleted and can be restored with organize."),
    limit: limit(50),
    cursor,
  }),
  run: (client, args) => {
    const { knowledge_base_id, folder_id, recent, title_contains, updated_since, trash, properties, ...page } = args;
    if (trash) return showTrash(client, page);
    const isFiltered = title_contains !== undefined || updated_since !== undefined || properties !== undefined;
    if (recent || isFiltered) {
      const wanted = { q: title_contains, updated_since, ...propertyQuery(properties) };
      return showRecent(client, { ...wanted, knowledge_base_id, folder_id, ...page });
    }
    if (folder_id !== undefined) return showFolder(client, folder_id);
    return knowledge_base_id === undefined ? showAll(client, page) : showTree(client, knowledge_base_id);
  },
});

/** A larger tree is cut; its folders can be opened one by one. */
const MAX_LINES = 500;

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function showAll(client: Client, query: PageQuery): Promise<Outcome> {
  const [{ data: me }, { data, page }] = await Promise.all([
    client.get("/me"),
    client.get("/knowledge-bases", { query }),
  ]);
  return {
    text: lines(
      `Workspace **${oneLine(me.workspace.name)}**, signed in as ${oneLine(me.user.name)} (${me.workspace.role}, ${me.token.access}).`,
      data.length === 0 ? "\nThere is no knowledge base yet." : "\nKnowledge bases:",
      ...data.map(baseLine),
      more(page),
    ),
  };
}

const baseLine = (base: KnowledgeBase): string =>
  `- **${oneLine(base.name)}** (${facts({ knowledge_base_id: base.id })}): ${plural(base.document_count, "document")}, ${plural(base.folder_count, "folder")}`;

async function showTree(client: Client, id: number): Promise<Outcome> {
  const { data } = await client.get("/knowledge-bases/{id}/tree", { path: { id } });
  const all = treeLines(data.children as Item[], "");
  const cut = all.length > MAX_LINES;
  return {
    text: lines(
      baseLine(data.knowledge_base).slice(2),
      "",
      ...(all.length === 0 ? ["It is empty."] : all.slice(0, MAX_LINES)),
      cut && `\n${all.length - MAX_LINES} more are not shown: call browse with a folder_id, or search.`,
    ),
  };
}

type Item = FolderNode | DocumentItem;

function treeLines(items: readonly Item[], indent: string): string[] {
  const found: string[] = [];
  const waiting = items.map((item) => ({ item, indent })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { item } = next;
    found.push(next.indent + itemLine(item));
    if (item.type === "document") continue;
    const deeper = `${next.indent}  `;
    for (const child of (item.children as Item[]).toReversed()) waiting.push({ item: child, indent: deeper });
  }
  return found.map((line) => indent + line);
}

const itemLine = (item: Item | FolderItem): string =>
  item.type === "folder"
    ? `- ${oneLine(item.name)}/ (${facts({ folder_id: item.id })})`
    : `- **${oneLine(item.title)}** (${facts({ document_id: item.id, updated: time(item.updated_at) })})`;

async function showFolder(client: Client, id: number): Promise<Outcome> {
  const [{ data: folder }, { data }] = await Promise.all([
    client.get("/folders/{id}", { path: { id } }),
    client.get("/folders/{id}/children", { path: { id } }),
  ]);
  const { knowledge_base_id, parent_id } = folder;
  return {
    text: lines(
      `**${oneLine(folder.name)}/** (${facts({ folder_id: id, knowledge_base_id, parent_id })})`,
      "",
      ...(data.length === 0 ? ["It is empty."] : data.map((item) => itemLine(item as Item))),
    ),
  };
}

interface RecentQuery extends PageQuery {
  readonly q?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly knowledge_base_id?: number | undefined;
  readonly folder_id?: number | undefined;
  readonly [name: `property.${string}`]: string;
}

async function showRecent(client: Client, query: RecentQuery): Promise<Outcome> {
  const { data, page } = await client.get("/documents", { query: { ...query, sort: "updated_at" } });
  return {
    text: lines(...(data.length === 0 ? ["No document matches."] : data.map(documentLine)), more(page)),
  };
}

const documentLine = (document: Document): string =>
  `- **${oneLine(document.title)}** (${facts({
    document_id: document.id,
    knowledge_base_id: document.knowledge_base_id,
    folder_id: document.folder_id,
    version: document.version,
    updated: time(document.updated_at),
    characters: document.character_count,
  })})`;

async function showTrash(client: Client, query: PageQuery): Promise<Outcome> {
  const { data, page } = await client.get("/trash", { query });
  return { text: lines(...(data.length === 0 ? ["The trash is empty."] : data.map(trashLine)), more(page)) };
}

const trashLine = (entry: TrashEntry): string =>
  `- ${entry.kind} **${oneLine(entry.name)}** (${facts({
    trash_id: entry.id,
    knowledge_base_id: entry.knowledge_base_id,
    documents: entry.document_count,
    deleted: time(entry.deleted_at),
    kept_until: time(entry.expires_at),
  })})`;
