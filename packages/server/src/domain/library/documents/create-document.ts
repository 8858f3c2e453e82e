import { diffPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import { createBody, updateViews } from "../../../bodies/change-body.ts";
import { type NewBody, newBody } from "../../../bodies/new-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow, DocumentType } from "../../../db/schema/tables/documents.ts";
import type { Actor } from "../../../events/actor.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { resolvePlace } from "../folders/place.ts";
import { indexProperties, propertyColumns } from "../properties/set-properties.ts";
import { noVariant } from "./no-variant.ts";
import { insertDocument } from "./queries.ts";
import { titleKey } from "./title-key.ts";

type NewDocument = AboutDocument &
  (
    | {
        readonly blocks: readonly Node[];
        /** The Markdown source of the blocks. */
        readonly source?: string | undefined;
      }
    | { readonly body: NewBody }
  );

interface AboutDocument {
  /** Set if something must refer to the document before it exists. */
  readonly id?: string;
  readonly workspaceId: string;
  readonly title: string;
  /** Optional if a folder is given: it determines the knowledge base. */
  readonly knowledgeBaseId?: number;
  readonly folderId?: number | null | undefined;
  /** The name of its file without the extension, if it differs from the title. */
  readonly fileName?: string | null | undefined;
  readonly documentType?: DocumentType | undefined;
  readonly headingNumbered?: boolean | undefined;
  readonly backgroundColor?: string | null | undefined;
  readonly collapsedBlockIds?: readonly string[] | undefined;
  readonly isTemplate?: boolean | undefined;
  /** Validated YAML lines including the fences. */
  readonly frontMatter?: string | undefined;
  readonly actor: Actor;
  readonly isImported?: boolean;
  /** Additional columns of a language version, and the times of a document created elsewhere. */
  readonly variant?: Partial<DocumentRow>;
}

export async function createDocument(app: Services, tx: Tx, input: NewDocument): Promise<DocumentRow> {
  const { workspaceId, actor } = input;
  const wanted = { knowledgeBaseId: input.knowledgeBaseId, folderId: input.folderId };
  const place = await resolvePlace(tx, workspaceId, wanted);
  const documentId = input.id ?? newId("doc");
  const documentType = input.documentType ?? "document";
  const first = "body" in input ? input.body : newBody(input.blocks, input.source, app.config.maxDocumentCharacters);
  const about = { workspaceId, documentId, documentType, actor, isImported: input.isImported === true };
  const body = await createBody(app, tx, about, first);
  const now = Date.now();
  const document: DocumentRow = {
    workspace_id: workspaceId,
    id: documentId,
    knowledge_base_id: place.knowledgeBaseId,
    folder_id: place.folderId,
    title: input.title.trim(),
    title_key: titleKey(input.title.trim()),
    file_name: input.fileName ?? null,
    document_type: documentType,
    heading_numbered: input.headingNumbered ? 1 : 0,
    background_color: input.backgroundColor ?? null,
    collapsed_block_ids: JSON.stringify(input.collapsedBlockIds ?? []),
    is_template: input.isTemplate ? 1 : 0,
    version: body.version,
    character_count: first.characters,
    block_count: body.blocks.length,
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
    updated_by: actor.userId,
    ...noVariant,
    ...input.variant,
    ...propertyColumns(input.frontMatter ?? ""),
  };
  await insertDocument(tx, document);
  await indexProperties(tx, document);
  const changes = diffPlaces([], body.blocks);
  await updateViews(app, tx, { document, before: undefined, after: body, changes, actor, reason: "created" });
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("documents", 1, app.config.maxDocuments);
  ledger.countIn(place.knowledgeBaseId, { documents: 1 });
  ledger.event("document.created", document, actor);
  return document;
}
