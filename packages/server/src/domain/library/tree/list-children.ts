import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { listTopDocuments, listTreeDocumentsIn } from "../documents/queries.ts";
import { getFolder, listFilledFolders, listSubfolders, listTopFolders } from "../folders/queries.ts";
import { compareNames } from "../knowledge-bases/natural-order.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { documentItem, folderItem } from "./read-tree.ts";

type Item = ReturnType<typeof folderItem> | ReturnType<typeof documentItem>;

/** The direct children of a folder, in any order. */
async function readChildren(db: Reader, workspaceId: string, id: number): Promise<Item[]> {
  await getFolder(db, workspaceId, id);
  const folders = await listSubfolders(db, workspaceId, id);
  const documents = await listTreeDocumentsIn(db, workspaceId, [id]);
  return [...folders.map(folderItem), ...documents.map(documentItem)];
}

/** Same for the top level of a knowledge base. */
async function readTopLevel(db: Reader, workspaceId: string, id: number): Promise<Item[]> {
  await getKnowledgeBase(db, workspaceId, id);
  const folders = await listTopFolders(db, workspaceId, id);
  const documents = await listTopDocuments(db, workspaceId, id);
  return [...folders.map(folderItem), ...documents.map(documentItem)];
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
  children: readonly Item[],
) =>
  pageOf(
    secret,
    identity,
    { ...query, limit: query.limit ?? Number.POSITIVE_INFINITY },
    {
      fetch: (after, size) => withFilled(db, workspaceId, firstAfter(children, after, size)),
      keyOf: sortKeyOf,
      represent: (child) => child,
    },
  );

type SortKey = readonly (string | number)[];

/** A child's sort key: kind, name, id. */
const sortKeyOf = (child: Item): SortKey =>
  child.type === "folder" ? [0, child.name, child.id] : [1, child.title, child.id];

const compareKeys = ([kind, name, id]: SortKey, [otherKind, otherName, otherId]: SortKey): number =>
  Number(kind) - Number(otherKind) ||
  compareNames(String(name), String(otherName)) ||
  (defined(id) > defined(otherId) ? 1 : -1);

/**
 * The first `size` children after a key: folders first, each by name or title. Does not sort all children of a large
 * folder: skips those that sort after the best so far.
 */
function firstAfter(children: readonly Item[], after: SortKey, size: number): Item[] {
  const compare = (a: Held, b: Held) => compareKeys(a.key, b.key);
  let best: Held[] = [];
  let last: SortKey | undefined;
  const cut = () => {
    best = best.sort(compare).slice(0, size);
    last = best.length === size ? best.at(-1)?.key : undefined;
  };
  for (const item of children) {
    const key = sortKeyOf(item);
    if (after.length > 0 && compareKeys(key, after) <= 0) continue;
    if (last && compareKeys(key, last) > 0) continue;
    if (best.push({ item, key }) >= 2 * size) cut();
  }
  cut();
  return best.map(({ item }) => item);
}

interface Held {
  readonly item: Item;
  readonly key: SortKey;
}

/** Adds to folders whether they have children. */
async function withFilled(db: Reader, workspaceId: string, children: readonly Item[]) {
  const folders = children.flatMap((child) => (child.type === "folder" ? child.id : []));
  const filled = await listFilledFolders(db, workspaceId, folders);
  return children.map((child) => (child.type === "folder" ? { ...child, has_children: filled.has(child.id) } : child));
}
