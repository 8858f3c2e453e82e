import type { Reader } from "../../../db/database.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { getDocument, listTreeDocumentsIn, type TreeDocument } from "../../../domain/library/documents/queries.ts";
import { type Folder, getFolder } from "../../../domain/library/folders/queries.ts";
import { listAncestors, listSubtree } from "../../../domain/library/folders/subtree.ts";
import { parentKey } from "../../../domain/library/order/place-keys.ts";
import { listPlaces } from "../../../domain/library/order/queries.ts";
import { type Places, sortSiblings } from "../../../domain/library/order/sort-siblings.ts";
import { findKept, keep, readTreeState } from "./kept-site.ts";
import type { Site, SiteLine } from "./site-tree.ts";

/** Max tree lines on one page; search finds the other pages. */
const MAX_LINES = 1000;

/** Reads a site, cached until its tree changes: reading and sorting thousands of titles costs far more than a page. */
export async function readSite(db: Reader, workspaceId: string, folderId: number): Promise<Site> {
  const folder = await getFolder(db, workspaceId, folderId);
  const folders = await listSubtree(db, folder);
  const ordered = folders.filter((one) => one.child_order === "manual");
  const parents = ordered.map((one) => parentKey(one.knowledge_base_id, one.id));
  const places = await listPlaces(db, workspaceId, parents);
  const state = await readTreeState(db, folders, places, workspaceId);
  const kept = await findKept(db, folder, state);
  if (kept) return kept;
  const documents = await documentsIn(db, workspaceId, folders);
  const site = {
    folder,
    lines: linesOf(folder.id, folders, documents, places),
    lineCount: folders.length - 1 + documents.length,
    titles: new Map(documents.map(({ id, title }) => [id, title])),
  };
  keep(db, site, state);
  return site;
}

/**
 * Whether a document is a page of a folder's site; checked from the document, so the size of the site does not matter.
 */
export async function isInSite(db: Reader, workspaceId: string, folderId: number, id: string): Promise<boolean> {
  const { folder_id, variant_role } = await getDocument(db, workspaceId, id);
  if (folder_id === null || variant_role === "target") return false;
  const folders = await listAncestors(db, await getFolder(db, workspaceId, folder_id));
  return folders.some((folder) => folder.id === folderId);
}

/** The documents without translations, as in every tree. */
async function documentsIn(db: Reader, workspaceId: string, folders: readonly Folder[]): Promise<TreeDocument[]> {
  const found: TreeDocument[] = [];
  for (const some of batchesOf(folders.map(({ id }) => id)))
    found.push(...(await listTreeDocumentsIn(db, workspaceId, some)));
  return found;
}

/** In the order of each folder. Iterative, as folders may be nested to any depth; unshown parts are not sorted. */
export function linesOf(
  top: number,
  folders: readonly Pick<Folder, "id" | "parent_id" | "name" | "child_order" | "created_at">[],
  documents: readonly Pick<TreeDocument, "id" | "folder_id" | "title">[],
  places: Places,
): SiteLine[] {
  const inside = Map.groupBy(folders, (folder) => folder.parent_id);
  const held = Map.groupBy(documents, (document) => document.folder_id);
  type Step = {
    readonly depth: number;
    readonly folder?: (typeof folders)[number];
    readonly document?: (typeof documents)[number];
  };
  const orders = new Map(folders.map((folder) => [folder.id, folder.child_order]));
  const stepsIn = (id: number, depth: number): Step[] => {
    const items = [
      ...(inside.get(id) ?? []).map((folder) => ({ ...folder, type: "folder" as const, folder })),
      ...(held.get(id) ?? []).map((document) => ({ ...document, type: "document" as const, document })),
    ];
    return sortSiblings(items, orders.get(id) ?? "name", places).map((item) =>
      item.type === "folder" ? { depth, folder: item.folder } : { depth, document: item.document },
    );
  };
  const lines: SiteLine[] = [];
  const open = stepsIn(top, 0).reverse();
  for (let step = open.pop(); step && lines.length < MAX_LINES; step = open.pop()) {
    const { depth, folder, document } = step;
    lines.push({ depth, title: folder?.name ?? document?.title ?? "", id: document?.id ?? null });
    if (folder) open.push(...stepsIn(folder.id, depth + 1).reverse());
  }
  return lines;
}
