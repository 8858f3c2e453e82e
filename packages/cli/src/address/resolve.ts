import { defined } from "@svc/document/defined";
import type { Client, KnowledgeBase } from "@svc/sdk";
import { CommandError, usage } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { quoted } from "../output.ts";
import { ambiguous, findKnowledgeBase } from "./find-knowledge-base.ts";
import { parseAddress } from "./parse-address.ts";
import { meansFolder, parsePath, showPath } from "./path-text.ts";
import { findFolder, itemsOf, type TreeFolder, type TreeItem, walkTree } from "./walk-tree.ts";
import { isShortId } from "./whole.ts";

export interface KnowledgeBasePlace {
  readonly kind: "knowledge_base";
  readonly knowledgeBase: KnowledgeBase;
  /** Its top-level items. */
  readonly items: readonly TreeItem[];
}

export interface FolderPlace {
  readonly kind: "folder";
  readonly knowledgeBase: { readonly id: number };
  readonly folder: TreeFolder;
}

export interface DocumentPlace {
  readonly kind: "document";
  readonly id: string;
  readonly blockId: string | undefined;
}

export type Container = KnowledgeBasePlace | FolderPlace;
export type Place = Container | DocumentPlace;
type Kind = Place["kind"];

const words: Record<Kind, string> = { knowledge_base: "knowledge base", folder: "folder", document: "document" };
const spoken = (kinds: readonly Kind[]): string => kinds.map((kind) => words[kind]).join(" or ");

/** Resolves an address to one of the kinds that the command accepts. */
export async function resolvePlace<K extends Kind>(
  client: Client,
  text: string,
  ...kinds: readonly K[]
): Promise<Extract<Place, { kind: K }>> {
  const place = await lookUp(client, text, kinds);
  if (!isOneOf(place, kinds))
    throw usage(`${quoted(text)} is a ${words[place.kind]}; this takes a ${spoken(kinds)}.`, `svc ls ${quoted(text)}`);
  return place;
}

const isOneOf = <K extends Kind>(place: Place, kinds: readonly K[]): place is Extract<Place, { kind: K }> =>
  kinds.some((kind) => kind === place.kind);

export const documentId = async (client: Client, text: string): Promise<string> =>
  (await resolvePlace(client, text, "document")).id;

async function lookUp(client: Client, text: string, kinds: readonly Kind[]): Promise<Place> {
  const address = parseAddress(text);
  if (address.kind === "document") return address;
  if (address.kind === "folder") return folderById(client, address.id);
  if (address.kind === "knowledge_base") return findRoot(client, text);
  const [first, ...names] = parsePath(text);
  if (first === undefined) throw usage(`${JSON.stringify(text)} names nothing.`, "svc ls");
  const short = isShortId(text) && kinds.includes("document") ? await byEnding(client, text) : undefined;
  if (short !== undefined) return { kind: "document", id: short, blockId: undefined };
  const root = await findRoot(client, first).catch(async (error: unknown) => {
    const id = isNotFound(error) && kinds.includes("document") && (await byTitle(client, [first, ...names]));
    if (!id)
      throw isNotFound(error) && kinds.every((kind) => kind === "document") ? noDocument([first, ...names]) : error;
    return { kind: "document" as const, id, blockId: undefined };
  });
  if (root.kind === "document") return root;
  return names.length === 0 ? root : within(root, first, names, meansFolder(text) ? ["folder"] : kinds);
}

async function byEnding(client: Client, id_ends: string): Promise<string | undefined> {
  const { data } = await client.get("/documents", { query: { id_ends, include_variants: true, limit: 2 } });
  if (data.length > 1)
    throw ambiguous(
      id_ends,
      data.map(({ id }) => id),
    );
  return data[0]?.id;
}

const isNotFound = (error: unknown): boolean => error instanceof CommandError && error.exitCode === EXIT.notFound;

/** No knowledge base begins the path, and no document has its last name as its title. */
function noDocument(names: readonly string[]): CommandError {
  const path = JSON.stringify(showPath(names));
  const what = names.length > 1 ? `knowledge base ${JSON.stringify(names[0])}, and no document` : "document";
  return new CommandError(EXIT.notFound, `There is no ${what} ${path}.`, {
    next: [`svc search ${quoted(names.at(-1) ?? "")}`, "svc ls"],
  });
}

/** The document with this title, below folders with these names if there are some. */
async function byTitle(client: Client, names: readonly string[]): Promise<string | undefined> {
  const title = names.at(-1) ?? "";
  const folders = names.slice(0, -1).map((name) => name.toLowerCase());
  const { data } = await client.get("/documents", { query: { q: title, limit: 100 } });
  const found: string[] = [];
  for (const document of data.filter((each) => each.title.toLowerCase() === title.toLowerCase())) {
    const { data: path } = await client.get("/documents/{id}/path", { path: { id: document.id } });
    const above = [path.knowledge_base, ...path.folders].map(({ name }) => name.toLowerCase());
    if (folders.every((name, i) => above.at(i - folders.length) === name)) found.push(document.id);
  }
  if (found.length > 1) throw ambiguous(showPath(names), found);
  return found[0];
}

/** Resolves the first step of a path: a knowledge base, or a folder by its number. */
export async function findRoot(client: Client, step: string): Promise<Container> {
  const address = parseAddress(step);
  if (address.kind === "folder") return folderById(client, address.id);
  const knowledgeBase = await findKnowledgeBase(client, step);
  return { kind: "knowledge_base", knowledgeBase, items: await loadItems(client, knowledgeBase.id) };
}

export const childrenOf = (place: Container): readonly TreeItem[] =>
  place.kind === "folder" ? place.folder.children : place.items;

const loadItems = async (client: Client, id: number): Promise<readonly TreeItem[]> =>
  itemsOf((await client.get("/knowledge-bases/{id}/tree", { path: { id } })).data);

async function folderById(client: Client, id: number): Promise<FolderPlace> {
  const { data } = await client.get("/folders/{id}", { path: { id } });
  const folder = findFolder(await loadItems(client, data.knowledge_base_id), id);
  return {
    kind: "folder",
    knowledgeBase: { id: data.knowledge_base_id },
    folder: folder ?? { ...data, type: "folder", children: [] },
  };
}

/** Resolves the names. If a folder and a document share a name, the requested kind wins. */
function within(root: Container, first: string, names: readonly string[], kinds: readonly Kind[]): Place {
  const found = walkTree(childrenOf(root), names);
  if (found.outcome === "nowhere") throw nothingThere([first, ...found.before], found.name, kinds);
  if (found.outcome === "several") throw ambiguous(showPath([first, ...found.path]), found.items.map(idOf));
  const fitting = found.items.filter((item) => kinds.includes(item.type));
  const candidates = fitting.length > 0 ? fitting : found.items;
  if (candidates.length > 1) throw ambiguous(showPath([first, ...names]), candidates.map(idOf));
  const item = defined(candidates[0]);
  return item.type === "folder"
    ? { kind: "folder", knowledgeBase: root.knowledgeBase, folder: item }
    : { kind: "document", id: item.id, blockId: undefined };
}

const idOf = (item: TreeItem): string => (item.type === "folder" ? `folder:${item.id}` : item.id);

function nothingThere(before: readonly string[], name: string, kinds: readonly Kind[]): CommandError {
  const place = showPath(before);
  const kind = spoken(kinds.filter((each) => each !== "knowledge_base"));
  return new CommandError(EXIT.notFound, `There is no ${kind} ${JSON.stringify(name)} in ${JSON.stringify(place)}.`, {
    next: [`svc ls ${quoted(place)}`],
  });
}
