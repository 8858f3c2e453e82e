import type { Client, Document, FolderNode, KnowledgeBase, TrashEntry } from "@svc/sdk";
import * as z from "zod";
import { cursor, folderId, knowledgeBaseId, limit, place, propertyFilter, propertyQuery } from "../../arguments.ts";
import { costOf, cutLines, cutText, largestFitting, roomIn } from "../../budget.ts";
import { findPlace } from "../../names/find-place.ts";
import { momentIn } from "../../names/moment-in.ts";
import { short } from "../../short.ts";
import { facts, lines, more, oneLine, plural, time } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";

export const browse = readingTool({
  name: "browse",
  title: "Browse",
  set: "core",
  description:
    "Shows what there is: without in the knowledge bases, else folders and documents to a depth, in their order. summaries true gives an overview: each page below with a line or two. recent true lists by last change, trash true what was deleted.",
  scopes: ["documents:read", "knowledge-bases:read"],
  hidden: ["knowledge_base_id", "folder_id", "title_contains", "updated_since", "properties", "limit"],
  input: z.strictObject({
    in: place.optional().describe("Base or Base/Folder."),
    depth: z.int().min(1).max(20).default(2),
    summaries: z.boolean().default(false),
    recent: z.boolean().default(false),
    trash: z.boolean().default(false),
    max_tokens: z.int().min(50).max(200_000).default(2500),
    cursor,
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
    title_contains: z.string().min(1).max(500).optional(),
    updated_since: z.string().max(40).optional(),
    properties: propertyFilter.optional(),
    limit: limit(50),
  }),
  run: async (client, args) => {
    const { in: where, depth, summaries, recent, trash, max_tokens, title_contains, updated_since, ...rest } = args;
    const page = { limit: rest.limit, cursor: rest.cursor };
    if (trash) return showTrash(client, page);
    const { knowledge_base_id, folder_id } = where === undefined ? rest : await findPlace(client, where);
    const { properties } = rest;
    const isFiltered = title_contains !== undefined || updated_since !== undefined || properties !== undefined;
    if (recent || isFiltered) {
      const since = updated_since === undefined ? undefined : String(momentIn(updated_since) ?? updated_since);
      const wanted = { q: title_contains, updated_since: since, ...propertyQuery(properties) };
      return showRecent(client, { ...wanted, knowledge_base_id, folder_id, ...page });
    }
    if (knowledge_base_id === undefined && folder_id === undefined) return showAll(client, page);
    if (summaries) return showOverview(client, { knowledge_base_id, folder_id }, max_tokens);
    return showTree(client, { knowledge_base_id, folder_id }, depth, max_tokens);
  },
});

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

type Item = FolderNode["children"][number];

interface Where {
  readonly knowledge_base_id?: number | undefined;
  readonly folder_id?: number | undefined;
}

/** The knowledge base of a place, with its tree, and the items at the place. */
async function loadTree(client: Client, { knowledge_base_id, folder_id }: Where) {
  const folder =
    folder_id === undefined ? undefined : (await client.get("/folders/{id}", { path: { id: folder_id } })).data;
  const id = folder?.knowledge_base_id ?? knowledge_base_id!;
  const { data } = await client.get("/knowledge-bases/{id}/tree", { path: { id } });
  const items = folder ? (findFolder(data.children, folder.id)?.children ?? []) : data.children;
  const head = folder
    ? `**${oneLine(folder.name)}/** (${facts({ folder_id, knowledge_base_id: id, parent_id: folder.parent_id })})`
    : baseLine(data.knowledge_base).slice(2);
  return { head, items };
}

function findFolder(items: readonly Item[], id: number): FolderNode | undefined {
  for (const item of items) {
    if (item.type === "document") continue;
    const found = item.id === id ? item : findFolder(item.children, id);
    if (found) return found;
  }
  return undefined;
}

async function showTree(client: Client, where: Where, depth: number, budget: number): Promise<Outcome> {
  const { head, items } = await loadTree(client, where);
  const room = roomIn(budget) - costOf([head, ""]);
  return { text: lines(head, ...(items.length === 0 ? ["It is empty."] : treeLines(items, depth, room))) };
}

const MAX_PER_FOLDER = 10_000;

/** Lists folders down to `depth`, then as many documents of each folder as the budget allows. */
function treeLines(items: readonly Item[], depth: number, room: number): string[] {
  const levels = Math.max(
    1,
    largestFitting(depth, (count) => costOf(linesOf(items, count, 0, "")) <= room),
  );
  const most = largestFitting(MAX_PER_FOLDER, (count) => costOf(linesOf(items, levels, count, "")) <= room);
  return cutLines(linesOf(items, levels, most, ""), room, (left) => `… ${plural(left, "more line")}: browse a folder`);
}

function linesOf(items: readonly Item[], depth: number, most: number, indent: string): string[] {
  let documents = 0;
  const shown = items.flatMap((item) => {
    if (item.type === "document")
      return ++documents > most ? [] : [`${indent}- ${oneLine(item.title)} (${short(item.id)})`];
    const children = item.children;
    const line = `${indent}- ${oneLine(item.name)}/ (${plural(countDocuments(children), "page")})`;
    return depth > 1 ? [line, ...linesOf(children, depth - 1, most, `${indent}  `)] : [line];
  });
  return documents > most ? [...shown, `${indent}- … ${documents - most} more pages`] : shown;
}

const countDocuments = (items: readonly Item[]): number =>
  items.reduce((sum, item) => sum + (item.type === "document" ? 1 : countDocuments(item.children)), 0);

/** Shows a short summary of each page below a place; the summaries are shorter if there are many pages. */
async function showOverview(client: Client, { knowledge_base_id, folder_id }: Where, budget: number): Promise<Outcome> {
  const { data } =
    folder_id === undefined
      ? await client.get("/knowledge-bases/{id}/summary", { path: { id: knowledge_base_id! } })
      : await client.get("/folders/{id}/summary", { path: { id: folder_id } });
  const found = data.text.split("\n").map((line) => PAGE.exec(line));
  const pages = found.filter((match) => match !== null);
  if (data.generator !== "deterministic" || pages.length === 0)
    return { text: cutText(data.text, roomIn(budget)) || "It is empty." };
  const head = `${plural(data.coverage.total_blocks, "page")}${data.freshness === "stale" ? ", some changed since this was made" : ""}:`;
  const room = roomIn(budget) - costOf([head, ""]);
  const shown = (most: number) =>
    pages.map(
      ([, title, id, sentence]) =>
        `- ${unescaped(title!)} (${short(id!)})${sentence && most > 0 ? `: ${oneLine(unescaped(sentence), most)}` : ""}`,
    );
  const most = largestFitting(MAX_CHARACTERS, (count) => costOf(shown(count)) <= room);
  const body = cutLines(
    shown(most),
    room,
    (left) => `… ${plural(left, "more page")}: ask for a folder, or more max_tokens`,
  );
  return { text: lines(head, ...body) };
}

/** Max items per page. */
const MAX_CHARACTERS = 1000;
const PAGE = /^- \[(.*)\]\(svc:\/\/doc\/(doc_\w+)\)(?:: (.*))?$/;
const unescaped = (text: string): string => text.replace(/\\([\\`*_[\]<>#|~$])/g, "$1");

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
    updated: time(document.updated_at),
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
