import { defined } from "@svc/document/defined";
import type { Tx } from "../../../../db/database.ts";
import { batchesOf } from "../../../../db/statement/batches.ts";
import { newId } from "../../../../ids.ts";
import { insertManual } from "../../../knowledge/relations/queries.ts";
import { uriOf } from "../../../knowledge/relations/target.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedRelation } from "../plan.ts";
import type { Site } from "./building.ts";
import type { LandedEvidence } from "./landed-evidence.ts";

/** Creates the stated relations of a new document. Their targets may be created later. */
export async function buildRelations(
  tx: Tx,
  { workspaceId, actor, seed }: Site,
  relations: readonly PlannedRelation[],
  documentIds: ReadonlyMap<string, string>,
  evidence: LandedEvidence,
): Promise<void> {
  const rowOf = ({ source, predicate, targetKey, targetBlockId, anchorText }: PlannedRelation) => {
    const target = defined(documentIds.get(targetKey));
    const blockId = targetBlockId === null ? null : mappedBlockId(seed, targetKey, targetBlockId);
    return {
      workspace_id: workspaceId,
      id: newId("rel"),
      document_id: defined(documentIds.get(source.documentKey)),
      source_block_id: mappedBlockId(seed, source.documentKey, source.blockId),
      source_version: evidence.versionOf(source),
      predicate,
      target_uri: uriOf({ kind: "doc", id: target, blockId, via: "" }),
      target_document_id: target,
      target_block_id: blockId,
      anchor_text: anchorText,
      created_by: actor.userId,
      created_at: Date.now(),
    };
  };
  for (const some of batchesOf(relations)) await insertManual(tx, some.map(rowOf));
}
