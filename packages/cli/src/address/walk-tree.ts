import { defined } from "@svc/document/defined";
import type { DocumentItem, FolderNode, Tree } from "@svc/sdk";

/** A folder of a tree; the description does not say what is in one, since it is in itself. */
export type TreeFolder = Omit<FolderNode, "children"> & { readonly children: readonly TreeItem[] };
export type TreeItem = TreeFolder | DocumentItem;

export const itemsOf = (tree: Tree): readonly TreeItem[] => tree.children;
export const nameOf = (item: TreeItem): string => (item.type === "folder" ? item.name : item.title);

type Found =
  | { readonly outcome: "items"; readonly items: readonly TreeItem[] }
  /** How far the names led, and the one that led nowhere. */
  | { readonly outcome: "nowhere"; readonly before: readonly string[]; readonly name: string }
  | { readonly outcome: "several"; readonly items: readonly TreeItem[]; readonly path: readonly string[] };

/** Returns the items at the end of a list of names. Every name but the last is a folder's. */
export function walkTree(top: readonly TreeItem[], names: readonly string[]): Found {
  let items = top;
  for (const [index, name] of names.slice(0, -1).entries()) {
    const folders = named(
      items.filter((item) => item.type === "folder"),
      name,
    );
    if (folders.length === 0) return { outcome: "nowhere", before: names.slice(0, index), name };
    if (folders.length > 1) return { outcome: "several", items: folders, path: names.slice(0, index + 1) };
    items = defined(folders[0]).children;
  }
  const last = names.at(-1) ?? "";
  const found = named(items, last);
  return found.length === 0
    ? { outcome: "nowhere", before: names.slice(0, -1), name: last }
    : { outcome: "items", items: found };
}

/** Returns exact matches, or else matches that differ only in case. */
export function named<T extends TreeItem>(items: readonly T[], name: string): readonly T[] {
  const exact = items.filter((item) => nameOf(item) === name);
  if (exact.length > 0) return exact;
  const folded = name.toLowerCase();
  return items.filter((item) => nameOf(item).toLowerCase() === folded);
}

/** The folder of that id, wherever it is. */
export function findFolder(items: readonly TreeItem[], id: number): TreeFolder | undefined {
  const todo = [...items];
  for (let item = todo.pop(); item; item = todo.pop()) {
    if (item.type !== "folder") continue;
    if (item.id === id) return item;
    todo.push(...item.children);
  }
  return undefined;
}
