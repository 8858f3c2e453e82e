import type { Client, FolderItem } from "@svc/sdk";
import { oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";
import { fold, namesIn } from "./fold.ts";

/** A knowledge base, or a folder in it. */
export interface Place {
  readonly knowledge_base_id: number;
  readonly folder_id?: number;
}

/** The place that a text means: `Base`, `Base/Folder/…`, or only the folder's name where it is the only one. */
export async function findPlace(client: Client, text: string): Promise<Place> {
  const names = namesIn(text);
  const { data: bases } = await client.get("/knowledge-bases", { query: { limit: 100 } });
  const [first = "", ...rest] = names;
  const base = bases.find(({ name, id }) => fold(name) === fold(first) || String(id) === first);
  if (base) {
    const found = await walk(client, { knowledge_base_id: base.id }, rest);
    if (found) return found;
  }
  const elsewhere = base ? [] : await Promise.all(bases.slice(0, 20).map(({ id }) => deepFolder(client, id, names)));
  const candidates = elsewhere.flat();
  if (candidates.length === 1) return candidates[0]!;
  const shown = bases.slice(0, 20).map(({ name }) => oneLine(name, 60));
  throw new UsageError(
    `**not_found**: there is no place ${oneLine(text)}. Knowledge bases: ${shown.join(", ") || "none"}.`,
    "browse shows folders; name them as Base/Folder.",
  );
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

/** Folders of a knowledge base, one level down, that the names lead to. */
async function deepFolder(client: Client, knowledge_base_id: number, names: readonly string[]): Promise<Place[]> {
  const found = await walk(client, { knowledge_base_id }, names);
  return found ? [found] : [];
}
