import type { Client, DocumentItem, FolderItem } from "@svc/sdk";
import { short } from "../short.ts";
import { oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";
import type { Place } from "./find-place.ts";
import { fold } from "./fold.ts";
import { oneOf } from "./one-of.ts";

type Item = DocumentItem | FolderItem;

const WORDS = /^(?:(first|last)|(before|after)\s+(.+))$/i;

/** Resolves a position among the items of a folder or base: `first`, `last`, `before Name` or `after Name`. */
export async function findOrder(client: Client, text: string, parent: Place) {
  const [, end, side, name = ""] = WORDS.exec(text.trim()) ?? [];
  if (end) return end.toLowerCase() === "first" ? { first: true as const } : { last: true as const };
  if (!side)
    throw new UsageError(
      `**invalid_arguments**: ${oneLine(text)} is no place among siblings.`,
      "say first, last, before Name or after Name.",
    );
  const { type, id } = await findSibling(client, name, parent);
  const sibling = { type, id };
  return side.toLowerCase() === "before" ? { before: sibling } : { after: sibling };
}

async function findSibling(client: Client, name: string, { knowledge_base_id, folder_id }: Place): Promise<Item> {
  const { data } =
    folder_id === undefined
      ? await client.get("/knowledge-bases/{id}/children", { path: { id: knowledge_base_id } })
      : await client.get("/folders/{id}/children", { path: { id: folder_id } });
  const isNamed = (item: Item) => [String(item.id), short(String(item.id)), nameOf(item)].includes(name);
  const exact = data.filter(isNamed);
  const found = exact.length > 0 ? exact : data.filter((item) => fold(nameOf(item)) === fold(name));
  return oneOf("sibling", name, found, data, (item) => `${oneLine(nameOf(item))} (${short(String(item.id))})`);
}

const nameOf = (item: Item): string => (item.type === "folder" ? item.name : item.title);
