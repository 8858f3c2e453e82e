import type { NewBody } from "../../../bodies/new-body.ts";
import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { invalidRequest } from "../../../errors.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import type { Services } from "../../../services.ts";
import { createDocument } from "../documents/create-document.ts";
import { getDocument, lockDocument, updateDocument } from "../documents/queries.ts";
import { createFolder } from "../folders/create-folder.ts";
import { findOwnFolder } from "../folders/index-page.ts";
import { lockStructure } from "../folders/lock-structure.ts";
import { updateFolder } from "../folders/queries.ts";
import { inheritPlace } from "../order/place-item.ts";

interface Subpage {
  readonly workspaceId: string;
  /** The page above the new one. */
  readonly parentId: string;
  readonly title: string;
  readonly body: NewBody;
  readonly frontMatter: string | undefined;
  readonly actor: Actor;
}

/** Creates a page below another one, which becomes the index page of a folder in its place if it is none yet. */
export async function makeSubpage(app: Services, tx: Tx, subpage: Subpage): Promise<DocumentRow> {
  const { workspaceId, parentId, title, body, frontMatter, actor } = subpage;
  await lockStructure(tx, workspaceId);
  const parent = await getDocument(tx, workspaceId, parentId);
  if (parent.variant_role === "target")
    throw invalidRequest("params.id", "is a translation; make the page below its source");
  const folder = (await findOwnFolder(tx, parent)) ?? (await wrap(app, tx, parent, actor));
  return createDocument(app, tx, { workspaceId, folderId: folder.id, title, body, frontMatter, actor });
}

/** Puts a folder in the place of a page and the page into it. */
async function wrap(app: Services, tx: Tx, found: DocumentRow, actor: Actor) {
  const { workspace_id: workspaceId, id, knowledge_base_id: knowledgeBaseId, folder_id: parentId, title } = found;
  const made = await createFolder(app, tx, { workspaceId, knowledgeBaseId, parentId, name: title });
  const before = await lockDocument(tx, workspaceId, id);
  const isSame =
    before.folder_id === parentId && before.knowledge_base_id === knowledgeBaseId && before.title === title;
  if (!isSame) throw new TransactionOutdated();
  await inheritPlace(tx, workspaceId, { type: "document", id, title }, made.id, {
    knowledgeBaseId,
    folderId: parentId,
  });
  const change = { folder_id: made.id, updated_at: Date.now(), updated_by: actor.userId };
  const after = await updateDocument(tx, workspaceId, id, change);
  for (const view of app.views) await view.metadataChanged?.(tx, before, after, app);
  ledgerOf(tx, workspaceId).event("document.metadata.updated", after, actor);
  return updateFolder(tx, workspaceId, made.id, { index_document_id: id });
}
