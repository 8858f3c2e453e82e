import type { Client, FolderItem, FolderNode } from "@svc/sdk";
import { oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";
import { fold, namesIn } from "./fold.ts";
import { oneOf } from "./one-of.ts";

/** A knowledge base, or a folder in it. */
export interface Place {
  readonly knowledge_base_id: number;
  readonly folder_id?: number;
}

/** Finds a place by `Base`, `Base/Folder/…`, an address, or a folder's name if it is unique. */
export async function findPlace(client: Client, text: string): Promise<Place> {
  const addressed = await byAddress(client, text);
  if (addressed) return addressed;
  const names = namesIn(text);
  const { data: bases } = await client.get("/knowledge-bases", { query: { limit: 100 } });
  const [first = "", ...rest] = names;
  const named = bases.filter(({ id }) => String(id) === first);
  const meant = named.length > 0 ? named : alike(bases, first);
  const exact = (await Promise.all(meant.map((each) => walk(client, each, rest)))).flat();
  if (exact.length > 0) return oneOf("place", text, exact, [], ({ line }) => line).place;
  const [base] = meant;
  const within = base ? meant : bases.slice(0, MAX_BASES);
  const wanted = (base ? rest : names).map(fold);
  const folders = (await Promise.all(within.map(({ id, name }) => foldersBelow(client, id, name)))).flat();
  return oneOf(
    "place",
    text,
    folders.filter(({ names: path }) => wanted.every((name, i) => path.at(i - wanted.length) === name)),
    [...bases.map(({ id, name }) => ({ line: oneLine(name, 60), place: { knowledge_base_id: id } })), ...folders],
    ({ line }) => line,
    "repeat with one of these, or make the folder first: organize with action create_folder, one level at a time.",
  ).place;
}

/** Finds a folder in the same way; rejects a knowledge base. */
export async function findFolder(client: Client, text: string): Promise<number> {
  const { folder_id } = await findPlace(client, text);
  if (folder_id !== undefined) return folder_id;
  throw new UsageError(
    `**invalid_arguments**: ${oneLine(text)} is a knowledge base, not a folder.`,
    "name a folder in it, as Base/Folder.",
  );
}

/** Max knowledge bases whose trees are searched for a folder by its name alone. */
const MAX_BASES = 20;

/** Finds a place by its page's address, which contains its id. Errors list candidates in the same form. */
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
  /** Case-folded names from the knowledge base down. */
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

/** Finds items by name; an exact match excludes matches that differ in case. */
function alike<T extends { readonly name: string }>(things: readonly T[], name: string): T[] {
  const same = things.filter((each) => each.name === name);
  return same.length > 0 ? same : things.filter((each) => fold(each.name) === fold(name));
}

/** Returns every place with this path: sibling folders may share a name. */
async function walk(
  client: Client,
  base: { readonly id: number; readonly name: string },
  names: readonly string[],
): Promise<NamedPlace[]> {
  const knowledge_base_id = base.id;
  const name = oneLine(base.name, 60);
  let places: NamedPlace[] = [{ line: `${name} (knowledge-bases/${base.id})`, place: { knowledge_base_id } }];
  for (const wanted of names) {
    const inside = await Promise.all(places.map(({ place }) => foldersOf(client, place)));
    places = inside.flatMap((folders) =>
      alike(folders, wanted).map(({ id, name: last }) => ({
        line: `${name} / ${names.length > 1 ? "… / " : ""}${oneLine(last)} (folders/${id})`,
        place: { knowledge_base_id, folder_id: id },
      })),
    );
  }
  return places;
}
