import type { Client, FolderItem, FolderNode } from "@svc/sdk";
import { oneLine } from "../text.ts";
import { fold, namesIn } from "./fold.ts";
import { oneOf } from "./one-of.ts";

/** A knowledge base, or a folder in it. */
export interface Place {
  readonly knowledge_base_id: number;
  readonly folder_id?: number;
}

/** The place that a text means: `Base`, `Base/Folder/…`, an address, or only a folder's name where no other has it. */
export async function findPlace(client: Client, text: string): Promise<Place> {
  const addressed = await byAddress(client, text);
  if (addressed) return addressed;
  const names = namesIn(text);
  const { data: bases } = await client.get("/knowledge-bases", { query: { limit: 100 } });
  const [first = "", ...rest] = names;
  const base = bases.find(({ name, id }) => fold(name) === fold(first) || String(id) === first);
  const found = base && (await walk(client, { knowledge_base_id: base.id }, rest));
  if (found) return found;
  const within = base ? [base] : bases.slice(0, MOST_BASES);
  const wanted = (base ? rest : names).map(fold);
  const folders = (await Promise.all(within.map(({ id, name }) => foldersBelow(client, id, name)))).flat();
  return oneOf(
    "place",
    text,
    folders.filter(({ names: path }) => wanted.every((name, i) => path.at(i - wanted.length) === name)),
    [...bases.map(({ id, name }) => ({ line: oneLine(name, 60), place: { knowledge_base_id: id } })), ...folders],
    ({ line }) => line,
  ).place;
}

/** Trees of so many knowledge bases are looked through for a folder by its name alone. */
const MOST_BASES = 20;

/** Pages of the web part have the id in their address; candidates are listed in the same form. */
async function byAddress(client: Client, text: string): Promise<Place | undefined> {
  const base = /(?:^|\/)knowledge-bases\/(\d+)/.exec(text)?.[1];
  if (base !== undefined) return { knowledge_base_id: Number(base) };
  const id = /(?:^|\/)folders\/(\d+)/.exec(text)?.[1];
  if (id === undefined) return undefined;
  const { data } = await client.get("/folders/{id}", { path: { id: Number(id) } });
  return { knowledge_base_id: data.knowledge_base_id, folder_id: data.id };
}

interface NamedPlace {
  readonly line: string;
  readonly place: Place;
  /** Folded, from the knowledge base down. */
  readonly names?: readonly string[];
}

async function foldersBelow(client: Client, knowledge_base_id: number, base: string) {
  const { data } = await client.get("/knowledge-bases/{id}/tree", { path: { id: knowledge_base_id } });
  const found: Required<NamedPlace>[] = [];
  const visit = (items: readonly FolderNode["children"][number][], path: readonly string[]): void => {
    for (const item of items) {
      if (item.type !== "folder") continue;
      const names = [...path, item.name];
      const place = { knowledge_base_id, folder_id: item.id };
      found.push({ line: `${oneLine(names.join(" / "))} (folders/${item.id})`, place, names: names.map(fold) });
      visit(item.children, names);
    }
  };
  visit(data.children, [base]);
  return found;
}

async function foldersOf(client: Client, { knowledge_base_id, folder_id }: Place): Promise<FolderItem[]> {
  const { data } =
    folder_id === undefined
      ? await client.get("/knowledge-bases/{id}/children", { path: { id: knowledge_base_id }, query: { limit: 100 } })
      : await client.get("/folders/{id}/children", { path: { id: folder_id }, query: { limit: 100 } });
  return data.filter((item): item is FolderItem => item.type === "folder");
}

async function walk(client: Client, start: Place, names: readonly string[]): Promise<Place | undefined> {
  let place = start;
  for (const name of names) {
    const folder = (await foldersOf(client, place)).find((each) => fold(each.name) === fold(name));
    if (!folder) return undefined;
    place = { knowledge_base_id: start.knowledge_base_id, folder_id: folder.id };
  }
  return place;
}
