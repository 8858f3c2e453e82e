import { at } from "../common/base-path.ts";

/** A thing in the tree. Documents have text ids, the others numbers. */
export type Place =
  | { readonly kind: "base"; readonly id: number; readonly name: string }
  | { readonly kind: "folder"; readonly id: number; readonly name: string }
  | { readonly kind: "document"; readonly id: string; readonly name: string };

/** What can be moved, copied and deleted. */
export type Movable = Exclude<Place, { kind: "base" }>;

/** Where something can be put. */
export type Container = Exclude<Place, { kind: "document" }>;

export const addressOf = ({ kind, id }: Pick<Place, "kind" | "id">): string => {
  const parts = { base: "knowledge-bases", folder: "folders", document: "documents" };
  return at(`/${parts[kind]}/${id}`);
};

export const keyOf = ({ kind, id }: Pick<Place, "kind" | "id">): string => `${kind}:${id}`;

/** What a link in the tree or in a list stands for. */
export function placeOf(link: HTMLElement): Place | undefined {
  const { kind, id } = link.dataset;
  const name = link.dataset.name ?? link.textContent ?? "";
  if (kind === "document" && id) return { kind, id, name };
  return (kind === "base" || kind === "folder") && id ? { kind, id: Number(id), name } : undefined;
}
