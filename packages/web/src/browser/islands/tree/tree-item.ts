import { at } from "../common/base-path.ts";

/** An item of the tree. Documents have text ids, the others numbers. */
export type TreeItem =
  | { readonly kind: "base"; readonly id: number; readonly name: string }
  /** `page`: its index page, which the tree shows in its place. */
  | { readonly kind: "folder"; readonly id: number; readonly name: string; readonly page?: string | undefined }
  | { readonly kind: "document"; readonly id: string; readonly name: string };

/** An item that can be moved, copied and deleted. */
export type Movable = Exclude<TreeItem, { kind: "base" }>;

/** An item that can contain others. */
export type Container = Exclude<TreeItem, { kind: "document" }>;

export const addressOf = ({ kind, id, page }: Pick<TreeItem, "kind" | "id"> & { readonly page?: unknown }): string => {
  if (typeof page === "string") return at(`/documents/${page}`);
  const parts = { base: "knowledge-bases", folder: "folders", document: "documents" };
  return at(`/${parts[kind]}/${id}`);
};

export const keyOf = ({ kind, id }: Pick<TreeItem, "kind" | "id">): string => `${kind}:${id}`;

/** The item that a link in the tree or in a list stands for. */
export function treeItemOf(link: HTMLElement): TreeItem | undefined {
  const { kind, id, page } = link.dataset;
  const name = link.dataset.name ?? link.textContent ?? "";
  if (kind === "document" && id) return { kind, id, name };
  if (kind === "folder" && id) return { kind, id: Number(id), name, page };
  return kind === "base" && id ? { kind, id: Number(id), name } : undefined;
}
