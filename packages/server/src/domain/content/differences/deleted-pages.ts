import { unpack } from "../../../bodies/packing.ts";
import type { Reader } from "../../../db/database.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { pathTexts } from "../../library/documents/path-texts.ts";
import type { Folder } from "../../library/folders/queries.ts";
import { deletedSince, type TrashedDocument } from "./deleted-since.ts";
import { type DeletedRow, listDeleted, listDeletedFolders, namesOf } from "./queries.ts";

interface DeletedScope {
  readonly since: number;
  readonly knowledgeBaseId: number | undefined;
  /** The requested folder with its descendants; undefined for all folders. */
  readonly folders: ReadonlySet<number> | undefined;
}

/** The part of a page key besides the document's id: trash entries sort after documents. */
export const keyOfDeleted = ({ trash_id, position }: Pick<DeletedRow, "trash_id" | "position">): string =>
  `${trash_id}/${position}`;

const BATCH = 20;

/** Pages in scope that were deleted since and are in the trash, latest first. */
export async function deletedPages(
  db: Reader,
  workspaceId: string,
  { since, knowledgeBaseId, folders }: DeletedScope,
  after: readonly (string | number)[],
  size: number,
): Promise<DeletedRow[]> {
  const found: DeletedRow[] = [];
  for (let key = after; found.length < size; ) {
    const batch = folders ? BATCH : size;
    const rows = await listDeleted(db, workspaceId, { since, knowledgeBaseId }, key, batch);
    for (const row of rows) if (!folders || (await isIn(db, workspaceId, row, folders))) found.push(row);
    const last = rows.at(-1);
    if (rows.length < batch || !last) break;
    key = [last.deleted_at, keyOfDeleted(last)];
  }
  return found.slice(0, size);
}

async function isIn(db: Reader, workspaceId: string, row: DeletedRow, folders: ReadonlySet<number>): Promise<boolean> {
  await yieldToEventLoop();
  const { document } = unpack<TrashedDocument>(row.packed);
  const { folderId } = locate(document, await foldersOf(db, workspaceId, row));
  return folderId !== null && folders.has(folderId);
}

const foldersOf = async (db: Reader, workspaceId: string, { trash_id }: DeletedRow) =>
  (await listDeletedFolders(db, workspaceId, trash_id)).flatMap((packed) => unpack<Folder[]>(packed));

/** The names of the folders that were deleted with a page, and the folder that contained them. */
function locate({ folder_id, title }: TrashedDocument["document"], deleted: readonly Folder[]) {
  const byId = new Map(deleted.map((folder) => [folder.id, folder]));
  const names = [title];
  let folderId = folder_id;
  for (let folder = byId.get(folderId ?? 0); folder; folder = byId.get(folderId ?? 0)) {
    names.unshift(folder.name);
    folderId = folder.parent_id;
  }
  return { folderId, title: names.join(" / ") };
}

/** A deleted page as a list shows it; undefined if it did not exist at that time. */
export async function showDeleted(db: Reader, workspaceId: string, row: DeletedRow, since: number, retention: number) {
  await yieldToEventLoop();
  const packed = unpack<TrashedDocument>(row.packed);
  const difference = deletedSince(packed, since, retention);
  if (!difference) return undefined;
  const { document } = packed;
  const { folderId, title } = locate(document, await foldersOf(db, workspaceId, row));
  const page = { title, knowledge_base_id: document.knowledge_base_id, folder_id: folderId };
  const pathOf = await pathTexts(db, workspaceId, [page]);
  const { creatorIds, ...shown } = difference;
  const names = await namesOf(db, [...creatorIds, row.deleted_by]);
  const actors = [...new Set([...creatorIds, row.deleted_by])].map((id) => ({ id, name: names.get(id) ?? null }));
  return {
    document_id: document.id,
    title: document.title,
    path_text: pathOf(page),
    deleted_at: row.deleted_at,
    actors,
    ...shown,
  };
}
