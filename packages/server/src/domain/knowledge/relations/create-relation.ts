import type { Static } from "typebox";
import { readBody } from "../../../bodies/load-body.ts";
import type { Tx } from "../../../db/database.ts";
import type { ManualRelationRow } from "../../../db/schema/tables/relations.ts";
import { apiError, notFound } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { getDocument, lockDocument } from "../../library/documents/queries.ts";
import { unknownPredicate } from "./list-relations.ts";
import { statedPredicateNames } from "./predicates.ts";
import { insertManual, type Relation } from "./queries.ts";
import type { NewRelation } from "./schema.ts";
import { parseDocumentUri, type Target, uriOf } from "./target.ts";

/** Creates a relation. Locks the source document so that it cannot be deleted meanwhile. */
export async function createRelation(
  tx: Tx,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  input: Static<typeof NewRelation>,
): Promise<Relation> {
  const documentId = input.source_document_id;
  await lockDocument(tx, workspaceId, documentId);
  const target = parseDocumentUri(input.target_uri);
  if (!target) throw apiError("invalid_target_uri", { target_uri: input.target_uri, hint: HINT });
  await checkTarget(tx, workspaceId, target);
  if (!statedPredicateNames.includes(input.predicate)) throw unknownPredicate(input.predicate, statedPredicateNames);
  const body = await readBody(tx, { workspaceId, documentId });
  if (body.positionOf(input.source_block_id) === undefined)
    throw apiError("block_not_found", { block_id: input.source_block_id, document_id: documentId });
  const row: ManualRelationRow = {
    workspace_id: workspaceId,
    id: newId("rel"),
    document_id: documentId,
    source_block_id: input.source_block_id,
    source_version: body.version,
    predicate: input.predicate,
    target_uri: uriOf(target),
    target_document_id: target.id,
    target_block_id: target.blockId,
    anchor_text: (input.anchor_text ?? "").toWellFormed(),
    created_by: userId,
    created_at: Date.now(),
  };
  await insertManual(tx, row);
  return { ...row, origin: "manual" };
}

const HINT = "Send svc://doc/{document id}, with #block={block id} for a block.";

async function checkTarget(tx: Tx, workspaceId: string, { id, blockId }: Target): Promise<void> {
  await getDocument(tx, workspaceId, id);
  if (blockId === null) return;
  const body = await readBody(tx, { workspaceId, documentId: id });
  if (body.positionOf(blockId) === undefined) throw notFound("block", blockId);
}
