import { readBody } from "../../bodies/body.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import type { Actor } from "../../events/actor.ts";
import { newId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { copyAttachments } from "../attachments/copy-attachments.ts";
import { createDocument } from "../documents/create-document.ts";
import { getDocument } from "../documents/queries.ts";
import { copyBlocks } from "../localization/blocks/copy-blocks.ts";

interface Copy {
  readonly workspaceId: string;
  readonly id: string;
  readonly title: string | undefined;
  /** Where the copy goes; beside the original where both are left out. */
  readonly knowledgeBaseId: number | undefined;
  readonly folderId: number | null | undefined;
  readonly actor: Actor;
}

/** A new document with the same body under new block ids, copies of its files, and the same settings. */
export async function copyDocument(app: Services, tx: Tx, copy: Copy): Promise<DocumentRow> {
  const { workspaceId, actor } = copy;
  const source = await getDocument(tx, workspaceId, copy.id);
  const body = await readBody(tx, { workspaceId, documentId: source.id });
  const id = newId("doc");
  const { blocks } = copyBlocks(body, "copy_content");
  return createDocument(app, tx, {
    id,
    workspaceId,
    title: copy.title ?? source.title,
    ...placeOf(source, copy),
    documentType: source.document_type,
    headingNumbered: source.heading_numbered === 1,
    backgroundColor: source.background_color,
    frontMatter: source.front_matter,
    blocks: await copyAttachments(app, tx, { workspaceId, from: source.id, to: id, blocks, all: true }),
    actor,
  });
}

/** A folder brings the knowledge base in which it is when the copy is made; a knowledge base alone means its top level. */
function placeOf(source: DocumentRow, { knowledgeBaseId, folderId }: Copy) {
  if (knowledgeBaseId !== undefined) return { knowledgeBaseId, folderId };
  const folder = folderId === undefined ? source.folder_id : folderId;
  return folder === null ? { knowledgeBaseId: source.knowledge_base_id, folderId: null } : { folderId: folder };
}
