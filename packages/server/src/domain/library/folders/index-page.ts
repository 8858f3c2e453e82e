import { titleKey } from "@svc/document/read/title-key";
import type { Reader, Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { type Folder, findFolderRow, updateFolder } from "./queries.ts";

/** The index page of each folder that has one which the reader sees. */
export async function listIndexPages(
  db: Reader,
  workspaceId: string,
  folders: readonly Pick<Folder, "id" | "index_document_id">[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = new Map(folders.flatMap(({ id, index_document_id: page }) => (page === null ? [] : [[page, id]])));
  const found = new Map<number, string>();
  for (const some of batchesOf([...wanted.keys()])) {
    const rows = await db
      .selectFrom("documents")
      .select(["id", "folder_id"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", some)
      .execute();
    for (const { id, folder_id } of rows)
      if (folder_id !== null && wanted.get(id) === folder_id) found.set(folder_id, id);
  }
  return found;
}

/** A folder as the API shows it to a reader. */
export async function describeFolder(db: Reader, folder: Folder) {
  const { workspace_id: workspaceId, ...row } = folder;
  const pages = await listIndexPages(db, workspaceId, [folder]);
  return { ...row, index_document_id: pages.get(folder.id) ?? null };
}

/** Locks the document that is to be, or is, the index page of a folder; undefined if it has none. */
export async function lockIndexPage(
  tx: Tx,
  folder: Folder,
  wanted: string | null | undefined,
): Promise<DocumentRow | undefined> {
  const id = wanted === undefined ? folder.index_document_id : wanted;
  if (id === null) return undefined;
  const page = await tx.lock("document", folder.workspace_id, id);
  if (page?.folder_id === folder.id && page.variant_role !== "target") return page;
  if (wanted === undefined) return undefined;
  if (!page && wanted !== null) throw notFound("document", wanted);
  throw invalidRequest("body.index_document_id", "must be a document directly in the folder");
}

/** Gives an index page the name of its folder. The caller has locked both. */
export async function renameIndexPage(
  app: Services,
  tx: Tx,
  page: DocumentRow,
  title: string,
  actor: Actor,
): Promise<void> {
  if (page.title === title) return;
  const change = { title, title_key: titleKey(title), file_name: null };
  const after = await tx
    .updateTable("documents")
    .set({ ...change, updated_at: Date.now(), updated_by: actor.userId })
    .where("workspace_id", "=", page.workspace_id)
    .where("id", "=", page.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const view of app.views) await view.metadataChanged?.(tx, page, after, app);
  ledgerOf(tx, page.workspace_id).event("document.metadata.updated", after, actor);
}

/** The folder of which a document is the index page. */
export async function findOwnFolder(
  db: Reader,
  document: Pick<DocumentRow, "workspace_id" | "id" | "folder_id">,
): Promise<Folder | undefined> {
  if (document.folder_id === null) return undefined;
  const folder = await findFolderRow(db, document.workspace_id, document.folder_id);
  return folder?.index_document_id === document.id ? folder : undefined;
}

/** Lets a changed index page's folder follow: a new title renames it, and a page that leaves is its index no more. */
export async function followIndexPage(app: Services, tx: Tx, folder: Folder, page: DocumentRow): Promise<void> {
  const { workspace_id: workspaceId, id } = folder;
  if (page.folder_id !== id) await updateFolder(tx, workspaceId, id, { index_document_id: null });
  else if (page.title !== folder.name) {
    const changed = await updateFolder(tx, workspaceId, id, { name: page.title });
    for (const view of app.views) await view.folderMoved?.(tx, changed, app);
  }
}

/** Locks the folder of which a document is the index page, before the document itself. */
export async function lockOwnFolder(tx: Tx, document: DocumentRow): Promise<Folder | undefined> {
  const found = await findOwnFolder(tx, document);
  const folder = found && (await tx.lock("folder", found.workspace_id, found.id));
  return folder?.index_document_id === document.id ? folder : undefined;
}
