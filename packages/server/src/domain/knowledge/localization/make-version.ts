import { defined } from "@svc/document/defined";
import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { DocumentSetRow } from "../../../db/schema/tables/localization.ts";
import type { Actor } from "../../../events/actor.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { copyAttachments } from "../../content/attachments/copy-attachments.ts";
import { createDocument } from "../../library/documents/create-document.ts";
import type { Tally } from "../../library/documents/translation-state.ts";
import { recordLocalization } from "./audit.ts";
import { type CreateMode, copyBlocks } from "./blocks/copy-blocks.ts";
import { listSourceBlocks, listTextBlocks } from "./blocks/text-blocks.ts";
import { insertState } from "./queries.ts";
import { newUnit } from "./units/save-units.ts";
import { upsertUnits } from "./units/unit-queries.ts";
import { count, emptyTally, type Unit } from "./units/unit-state.ts";

interface NewVersion {
  readonly set: DocumentSetRow;
  /** Locked by the caller. */
  readonly source: DocumentRow;
  readonly locale: string;
  readonly title?: string | undefined;
  readonly mode: CreateMode;
  readonly actor: Actor;
}

/** Creates a target-language version next to its source, with a unit for every text block of the source. */
export async function makeVersion(app: Services, tx: Tx, version: NewVersion): Promise<DocumentRow> {
  const { set, source, locale, mode, actor } = version;
  const { workspace_id: workspaceId } = source;
  const id = newId("doc");
  const body = await readBody(tx, { workspaceId, documentId: source.id });
  const copied = copyBlocks(body, mode);
  const { links } = copied;
  const { blocks } = await copyAttachments(app, tx, { workspaceId, from: source.id, to: id, blocks: copied.blocks });
  const targets = new Map(listTextBlocks(blocks).map((block) => [block.id, block]));
  const key = { workspace_id: workspaceId, document_id: id };
  const units = listSourceBlocks(body).map((block): Unit => {
    const target = targets.get(links.get(block.id) ?? "");
    const unit = newUnit(key, block.id, defined(block.hash));
    if (!target) return unit;
    return {
      ...unit,
      target_block_id: target.id,
      target_present: 1,
      target_hash: target.hash,
      copied_hash: target.hash,
    };
  });
  await upsertUnits(tx, units);
  await insertState(tx, {
    ...key,
    source_document_id: source.id,
    locale,
    source_version: body.version,
    agreed_source_version: body.version,
    ...units.reduce((tally: Tally, unit) => count(tally, unit, 1), emptyTally),
  });
  const document = await createDocument(app, tx, {
    id,
    workspaceId,
    title: version.title ?? source.title,
    knowledgeBaseId: source.knowledge_base_id,
    folderId: source.folder_id,
    documentType: source.document_type,
    headingNumbered: source.heading_numbered === 1,
    backgroundColor: source.background_color,
    blocks,
    actor,
    variant: {
      document_set_id: set.id,
      locale,
      variant_role: "target",
      workflow_status: "draft",
      translated_from_document_id: source.id,
      translated_from_version: body.version,
    },
  });
  const after = { document_id: id, title: document.title, create_mode: mode };
  await recordLocalization(tx, { workspaceId, sourceId: source.id, actor }, [{ action: "add_version", locale, after }]);
  return document;
}
