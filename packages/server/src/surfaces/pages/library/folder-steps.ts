import type { FolderStep } from "@svc/web/shared/page";
import type { Reader } from "../../../db/database.ts";
import { listIndexPages } from "../../../domain/library/folders/index-page.ts";
import type { Folder } from "../../../domain/library/folders/queries.ts";
import { listAncestors } from "../../../domain/library/folders/subtree.ts";

/** The folders from the top down to this one, with the index pages that the reader sees. */
export async function foldersTo(db: Reader, folder: Folder): Promise<FolderStep[]> {
  const folders = await listAncestors(db, folder);
  const pages = await listIndexPages(db, folder.workspace_id, folders);
  return folders.map(({ id, name }) => ({ id, name, page: pages.get(id) }));
}
