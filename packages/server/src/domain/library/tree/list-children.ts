import type { Reader } from "../../../db/database.ts";
import type { ChildOrder } from "../../../db/schema/tables/documents.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { listTopDocuments, listTreeDocumentsIn } from "../documents/queries.ts";
import { listIndexPages } from "../folders/index-page.ts";
import { getFolder, listFilledFolders, listSubfolders, listTopFolders } from "../folders/queries.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { parentKey } from "../order/place-keys.ts";
import { listPlaces } from "../order/queries.ts";
import { compareKeys, type Places, type SortKey, sortKey } from "../order/sort-siblings.ts";
import { documentItem, folderItem } from "./read-tree.ts";

type Item = ReturnType<typeof folderItem> | ReturnType<typeof documentItem>;

/** The direct children of one parent, in any order, each with the key by which it is sorted. */
type Children = readonly Held[];

interface Held {
  readonly item: Item;
  readonly key: SortKey;
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

type Answering = Pick<Services, "secret">;

/** The direct children of a folder: the page that the query requests, or all. */
export async function listFolderChildren(
  app: Answering,
  db: Reader,
  workspaceId: string,
  id: number,
  query: PageQuery,
) {
  const children = await readChildren(db, workspaceId, id);
  return pageOfChildren(app, db, workspaceId, query, ["children", id], children);
}

/** The same for the top level of a knowledge base. */
export async function listTopLevel(app: Answering, db: Reader, workspaceId: string, id: number, query: PageQuery) {
  const children = await readTopLevel(db, workspaceId, id);
  return pageOfChildren(app, db, workspaceId, query, ["top", id], children);
}

const pageOfChildren = (
  { secret }: Answering,
  db: Reader,
  workspaceId: string,
  query: PageQuery,
  identity: unknown,
  children: Children,
) =>
  pageOf(
    secret,
    identity,
    { ...query, limit: query.limit ?? Number.POSITIVE_INFINITY },
    {
      fetch: (after, size) => withFilled(db, workspaceId, firstAfter(children, after, size)),
      keyOf: ({ key }) => key,
      represent: ({ item }) => item,
    },
  );

/** The direct children of a folder, in any order. */
async function readChildren(db: Reader, workspaceId: string, id: number): Promise<Children> {
  const folder = await getFolder(db, workspaceId, id);
  return held(db, workspaceId, folder.knowledge_base_id, folder.id, folder.child_order);
}

/** Same for the top level of a knowledge base. */
async function readTopLevel(db: Reader, workspaceId: string, id: number): Promise<Children> {
  const base = await getKnowledgeBase(db, workspaceId, id);
  return held(db, workspaceId, id, null, base.child_order);
}

async function held(
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  folderId: number | null,
  order: ChildOrder,
): Promise<Held[]> {
  const isTop = folderId === null;
  const folders = isTop
    ? await listTopFolders(db, workspaceId, knowledgeBaseId)
    : await listSubfolders(db, workspaceId, folderId);
  const documents = isTop
    ? await listTopDocuments(db, workspaceId, knowledgeBaseId)
    : await listTreeDocumentsIn(db, workspaceId, [folderId]);
  const parent = parentKey(knowledgeBaseId, folderId);
  const places: Places = order === "manual" ? await listPlaces(db, workspaceId, [parent]) : new Map();
  const pages = await listIndexPages(db, workspaceId, folders);
  const inFolders = folders.map((row) => ({
    item: folderItem(row, pages.get(row.id) ?? null),
    key: sortKey({ ...row, type: "folder" }, order, places),
  }));
  const inDocuments = documents.map((row) => ({
    item: documentItem(row),
    key: sortKey({ ...row, type: "document" }, order, places),
  }));
  return [...inFolders, ...inDocuments];
}

/**
 * The first `size` children after a key. Does not sort all children of a large folder: skips those that sort after the
 * best so far.
 */
function firstAfter(children: Children, after: SortKey, size: number): Held[] {
  const compare = (a: Held, b: Held) => compareKeys(a.key, b.key);
  let best: Held[] = [];
  let last: SortKey | undefined;
  const cut = () => {
    best = best.sort(compare).slice(0, size);
    last = best.length === size ? best.at(-1)?.key : undefined;
  };
  for (const { item, key } of children) {
    if (after.length > 0 && compareKeys(key, after) <= 0) continue;
    if (last && compareKeys(key, last) > 0) continue;
    if (best.push({ item, key }) >= 2 * size) cut();
  }
  cut();
  return best;
}

/** Adds to folders whether they have children. */
async function withFilled(db: Reader, workspaceId: string, children: Children) {
  const folders = children.flatMap(({ item }) => (item.type === "folder" ? item.id : []));
  const filled = await listFilledFolders(db, workspaceId, folders);
  return children.map(({ item, key }) => ({
    item: item.type === "folder" ? { ...item, has_children: filled.has(item.id) } : item,
    key,
  }));
}
