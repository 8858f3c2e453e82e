import { diffPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import { createBody, tellViews } from "../../bodies/change-body.ts";
import { type NewBody, newBody } from "../../bodies/new-body.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow, DocumentType } from "../../db/schema/tables/documents.ts";
import type { Actor } from "../../events/actor.ts";
import { ledgerOf } from "../../events/ledger.ts";
import { newId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { resolvePlace } from "../folders/place.ts";
import { indexProperties, propertyColumns } from "../properties/set-properties.ts";
import { noVariant } from "./no-variant.ts";
import { insertDocument } from "./queries.ts";
import { titleKey } from "./title-key.ts";

type NewDocument = AboutDocument &
  (
    | {
        readonly blocks: readonly Node[];
        /** The Markdown that they come from. */
        readonly source?: string | undefined;
      }
    | { readonly body: NewBody }
  );

interface AboutDocument {
  /** Given when something must know it before the document is there. */
  readonly id?: string;
  readonly workspaceId: string;
  readonly title: string;
  /** May be left out where a folder is named: it brings its own. */
  readonly knowledgeBaseId?: number;
  readonly folderId?: number | null | undefined;
  readonly documentType?: DocumentType | undefined;
  readonly headingNumbered?: boolean | undefined;
  readonly backgroundColor?: string | null | undefined;
  readonly collapsedBlockIds?: readonly string[] | undefined;
  readonly isTemplate?: boolean | undefined;
  /** Lines of YAML with their fences, checked. */
  readonly frontMatter?: string | undefined;
  readonly actor: Actor;
  /** What a language version has beside an ordinary document, and the times of one that was made elsewhere. */
  readonly variant?: Partial<DocumentRow>;
}

export async function createDocument(app: Services, tx: Tx, input: NewDocument): Promise<DocumentRow> {
  const { workspaceId, actor } = input;
  const wanted = { knowledgeBaseId: input.knowledgeBaseId, folderId: input.folderId };
  const place = await resolvePlace(tx, workspaceId, wanted);
  const documentId = input.id ?? newId("doc");
  const documentType = input.documentType ?? "document";
  const first = "body" in input ? input.body : newBody(input.blocks, input.source, app.config.maxDocumentCharacters);
  const body = await createBody(app, tx, { workspaceId, documentId }, documentType, first);
  const now = Date.now();
  const document: DocumentRow = {
    workspace_id: workspaceId,
    id: documentId,
    knowledge_base_id: place.knowledgeBaseId,
    folder_id: place.folderId,
    title: input.title.trim(),
    title_key: titleKey(input.title.trim()),
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
  await tellViews(app, tx, { document, before: undefined, after: body, changes, actor, reason: "created" });
  const ledger = ledgerOf(tx, workspaceId);
  ledger.count("documents", 1, app.config.maxDocuments);
  ledger.countIn(place.knowledgeBaseId, { documents: 1 });
  ledger.event("document.created", document, actor);
  return document;
}
