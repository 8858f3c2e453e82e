import type { Reader } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { getDocument, listTreeDocumentsIn, type TreeDocument } from "../../resources/documents/queries.ts";
import { type Folder, getFolder } from "../../resources/folders/queries.ts";
import { listAncestors, listSubtree } from "../../resources/folders/subtree.ts";
import { byName } from "../../resources/knowledge-bases/natural-order.ts";
import { findNamedPage, readNamedPages } from "../../resources/links-by-name/read-pages.ts";
import { ownVias, parseHref } from "../../resources/relations/target.ts";
import { findKept, keep, readTreeState } from "./kept-site.ts";
import type { Site, SiteLine } from "./site-tree.ts";

/** Lines of a tree that one page shows; search finds the others. */
const MOST_LINES = 1000;

/** A site is kept until its tree changes: reading and sorting thousands of titles costs many times what a page does. */
export async function readSite(db: Reader, workspaceId: string, folderId: number): Promise<Site> {
  const folder = await getFolder(db, workspaceId, folderId);
  const folders = await listSubtree(db, folder);
  const state = await readTreeState(db, folders, workspaceId);
  const kept = await findKept(db, folder, state);
  if (kept) return kept;
  const documents = await documentsIn(db, workspaceId, folders);
  const site = {
    folder,
    lines: linesOf(folder.id, folders, documents),
    lineCount: folders.length - 1 + documents.length,
    titles: new Map(documents.map(({ id, title }) => [id, title])),
  };
  keep(db, site, state);
  return site;
}

/** Whether a document is a page of a folder's site; found from the document, however large the site is. */
export async function isInSite(db: Reader, workspaceId: string, folderId: number, id: string): Promise<boolean> {
  const { folder_id, variant_role } = await getDocument(db, workspaceId, id);
  if (folder_id === null || variant_role === "target") return false;
  const folders = await listAncestors(db, await getFolder(db, workspaceId, folder_id));
  return folders.some((folder) => folder.id === folderId);
}

/** Translations are not among them, as in every tree. */
async function documentsIn(db: Reader, workspaceId: string, folders: readonly Folder[]): Promise<TreeDocument[]> {
  const found: TreeDocument[] = [];
  for (const some of batchesOf(folders.map(({ id }) => id)))
    found.push(...(await listTreeDocumentsIn(db, workspaceId, some)));
  return found;
}

/** Folders first, each by name, without recursion, as folders may be nested to any depth; what is not shown is not sorted. */
export function linesOf(
  top: number,
  folders: readonly Pick<Folder, "id" | "parent_id" | "name">[],
  documents: readonly Pick<TreeDocument, "id" | "folder_id" | "title">[],
): SiteLine[] {
  const inside = Map.groupBy(folders, (folder) => folder.parent_id);
  const held = Map.groupBy(documents, (document) => document.folder_id);
  type Step = {
    readonly depth: number;
    readonly folder?: (typeof folders)[number];
    readonly document?: (typeof documents)[number];
  };
  const stepsIn = (id: number, depth: number): Step[] => [
    ...(inside.get(id) ?? []).toSorted(byName((one) => one.name)).map((folder) => ({ depth, folder })),
    ...(held.get(id) ?? []).toSorted(byName((one) => one.title)).map((document) => ({ depth, document })),
  ];
  const lines: SiteLine[] = [];
  const open = stepsIn(top, 0).reverse();
  for (let step = open.pop(); step && lines.length < MOST_LINES; step = open.pop()) {
    const { depth, folder, document } = step;
    lines.push({ depth, title: folder?.name ?? document?.title ?? "", id: document?.id ?? null });
    if (folder) open.push(...stepsIn(folder.id, depth + 1).reverse());
  }
  return lines;
}

/** Where a link of a page leads within the site; undefined for one that does not name a document of ours. */
export type FollowLink = (href: string) => string | null | undefined;

/**
 * Links to documents: to the page of the site, or null, so that one to elsewhere reads like one to nothing. `pageUrl`
 * returns the address of a page, or undefined where there is none.
 */
export async function linkFollower(
  db: Reader,
  document: DocumentRow,
  baseUrl: string,
  pageUrl: (id: string) => string | undefined,
): Promise<FollowLink> {
  const named = await readNamedPages(db, document.workspace_id, document.id);
  const vias = ownVias(baseUrl);
  return (href) => {
    const target = parseHref(href);
    if (target && vias.includes(target.via)) {
      const url = target.kind === "doc" ? pageUrl(target.id) : undefined;
      return withHash(url, target.blockId ?? SECTION.exec(href)?.[1]);
    }
    if (/^\s*svc:/i.test(href)) return null;
    const inside = documentAt(href, baseUrl);
    if (inside !== undefined) return pageUrl(inside) ?? null;
    const byName = findNamedPage(named, href);
    return byName && withHash(pageUrl(byName.id), byName.slug && `section-${byName.slug}`);
  };
}

/** A heading, as the addresses of our own pages name it. */
const SECTION = /#(section-[^\s#]+)\s*$/;

/** The document that one of our own pages is about, such as that of its versions. */
function documentAt(href: string, baseUrl: string): string | undefined {
  const { pathname } = new URL(baseUrl);
  const places = [`${baseUrl}/documents/`, `${pathname.replace(/\/$/, "")}/documents/`, "/documents/"];
  const trimmed = href.trim();
  const place = places.find((one) => trimmed.startsWith(one));
  return place && (/^\w+/.exec(trimmed.slice(place.length))?.[0] ?? "");
}

const withHash = (url: string | undefined, hash: string | undefined): string | null =>
  url === undefined ? null : hash ? `${url}#${hash}` : url;
