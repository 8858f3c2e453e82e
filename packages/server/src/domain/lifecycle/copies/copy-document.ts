import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { copyAttachments } from "../../content/attachments/copy-attachments.ts";
import { copyBlocks } from "../../knowledge/localization/blocks/copy-blocks.ts";
import { createDocument } from "../../library/documents/create-document.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { copyFileAddresses } from "../../library/file-addresses/queries.ts";

interface Copy {
  readonly workspaceId: string;
  readonly id: string;
  readonly title: string | undefined;
  /** The target of the copy; if both are omitted, next to the original. */
  readonly knowledgeBaseId: number | undefined;
  readonly folderId: number | null | undefined;
  readonly actor: Actor;
}

/** Creates a document with the same body under new block ids, copies of its files and the same settings. */
export async function copyDocument(app: Services, tx: Tx, copy: Copy): Promise<DocumentRow> {
  const { workspaceId, actor } = copy;
  const source = await getDocument(tx, workspaceId, copy.id);
  const body = await readBody(tx, { workspaceId, documentId: source.id });
  const id = newId("doc");
  const copied = copyBlocks(body, "copy_content");
  const files = { workspaceId, from: source.id, to: id, all: true };
  const { blocks, ids } = await copyAttachments(app, tx, { ...files, blocks: copied.blocks });
  await copyFileAddresses(tx, { ...files, attachmentIds: ids });
  return createDocument(app, tx, {
    id,
    workspaceId,
    title: copy.title ?? source.title,
    ...targetOf(source, copy),
    documentType: source.document_type,
    headingNumbered: source.heading_numbered === 1,
    backgroundColor: source.background_color,
    frontMatter: source.front_matter,
    blocks,
    actor,
  });
}

/** A folder determines the knowledge base when the copy is made; a knowledge base alone means its top level. */
function targetOf(source: DocumentRow, { knowledgeBaseId, folderId }: Copy) {
  if (knowledgeBaseId !== undefined) return { knowledgeBaseId, folderId };
  const folder = folderId === undefined ? source.folder_id : folderId;
  return folder === null ? { knowledgeBaseId: source.knowledge_base_id, folderId: null } : { folderId: folder };
}
