import type { Place } from "@svc/sdk";
import { ENDED_LINKS } from "../../../shared/ended-links.ts";
import { api } from "../common/api.ts";
import { readLevel } from "./levels.ts";
import type { Container, Movable, TreeItem } from "./tree-item.ts";

/** The body fields that name a container. */
export const inContainer = async (
  place: Container,
): Promise<{ knowledge_base_id: number; folder_id: number | null }> => {
  if (place.kind === "base") return { knowledge_base_id: place.id, folder_id: null };
  const { data } = await api.get("/folders/{id}", { path: { id: place.id } });
  return { knowledge_base_id: data.knowledge_base_id, folder_id: place.id };
};

export async function createDocument(at: Container, type: "document" | "spreadsheet", title: string): Promise<string> {
  const { data } = await api.post("/documents", { body: { title, document_type: type, ...(await inContainer(at)) } });
  return data.id;
}

export async function createFolder(at: Container, name: string): Promise<number> {
  const { knowledge_base_id, folder_id } = await inContainer(at);
  const { data } = await api.post("/folders", { body: { name, knowledge_base_id, parent_id: folder_id } });
  return data.id;
}

export async function rename({ kind, id }: TreeItem, name: string): Promise<void> {
  if (kind === "base") await api.patch("/knowledge-bases/{id}", { path: { id }, body: { name } });
  else if (kind === "folder") await api.patch("/folders/{id}", { path: { id }, body: { name } });
  else await api.patch("/documents/{id}", { path: { id }, body: { title: name } });
}

/** The current container, so that a move can be undone. */
export async function containerOf(place: Movable): Promise<Container> {
  if (place.kind === "folder") {
    const { data } = await api.get("/folders/{id}", { path: { id: place.id } });
    return data.parent_id === null
      ? { kind: "base", id: data.knowledge_base_id, name: "" }
      : { kind: "folder", id: data.parent_id, name: "" };
  }
  const { data } = await api.get("/documents/{id}", { path: { id: place.id } });
  return data.folder_id === null
    ? { kind: "base", id: data.knowledge_base_id, name: "" }
    : { kind: "folder", id: data.folder_id, name: "" };
}

/** A place among the items of a container. */
export type PlaceAmong = Place;

export async function move(place: Movable, to: Container, among?: PlaceAmong): Promise<void> {
  const { knowledge_base_id, folder_id } = await inContainer(to);
  const order = among && { place: among };
  if (place.kind === "document") {
    const body = { knowledge_base_id, folder_id, ...order };
    await api.patch("/documents/{id}", { path: { id: place.id }, body });
  } else {
    const body = { knowledge_base_id, parent_id: folder_id, ...order };
    await api.patch("/folders/{id}", { path: { id: place.id }, body });
  }
}

/** Whether the items of a container are in the order of their names or in a manual one. */
export async function readOrder({ kind, id }: Container): Promise<"name" | "manual"> {
  const { data } =
    kind === "base"
      ? await api.get("/knowledge-bases/{id}", { path: { id } })
      : await api.get("/folders/{id}", { path: { id } });
  return data.child_order;
}

export async function setOrder({ kind, id }: Container, child_order: "name" | "manual"): Promise<void> {
  if (kind === "base") await api.patch("/knowledge-bases/{id}", { path: { id }, body: { child_order } });
  else await api.patch("/folders/{id}", { path: { id }, body: { child_order } });
}

/** Copies a page or a folder with its content into a container. */
export async function copyInto(place: Movable, to: Container): Promise<Movable> {
  if (place.kind === "document") {
    const body = await inContainer(to);
    const { data } = await api.post("/documents/{id}/copy", { path: { id: place.id }, body });
    return { ...place, id: data.id };
  }
  const inside = await readAll(place);
  const made = { ...place, id: await createFolder(to, place.name) };
  for (const child of inside) await copyInto(child, made);
  return made;
}

async function readAll(at: Container): Promise<Movable[]> {
  const { children, next } = await readLevel(at);
  const all: Movable[] = [...children];
  for (let cursor = next; cursor !== null; ) {
    const level = await readLevel(at, cursor);
    all.push(...level.children);
    cursor = level.next;
  }
  return all;
}

export async function copy(id: string, title: string): Promise<string> {
  const { data } = await api.post("/documents/{id}/copy", { path: { id }, body: { title } });
  return data.id;
}

/** Deletes something and returns its id in the trash, if the trash keeps it. */
export async function discard({ kind, id }: Movable): Promise<string | undefined> {
  if (kind === "document") await api.delete("/documents/{id}", { path: { id } });
  else await api.delete("/folders/{id}", { path: { id } });
  const { data } = await api.get("/trash", { query: { limit: 20 } });
  return data.find((entry) => entry.kind === kind && entry.item_id === String(id))?.id;
}

/** Restores deleted items in this order and returns a message about it, if any. */
export async function restoreAll(trashed: readonly string[]): Promise<string | undefined> {
  let endedLinks = 0;
  for (const id of trashed.toReversed())
    endedLinks += (await api.post("/trash/{id}/restore", { path: { id } })).data.ended_links;
  return endedLinks > 0 ? ENDED_LINKS : undefined;
}
