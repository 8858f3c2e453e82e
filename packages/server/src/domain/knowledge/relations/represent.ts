import type { Relation } from "./queries.ts";
import type { TargetState } from "./target-states.ts";

export const relationOf = (relation: Relation, direction: "outgoing" | "incoming", state: TargetState) => ({
  id: relation.id,
  predicate: relation.predicate,
  origin: relation.origin,
  direction,
  source_document_id: relation.document_id,
  source_block_id: relation.source_block_id,
  source_version: relation.source_version,
  target_uri: relation.target_uri.startsWith("name:")
    ? `svc://doc/${relation.target_document_id}`
    : relation.target_uri,
  target_document_id: relation.target_document_id,
  target_block_id: relation.target_block_id,
  anchor_text: relation.anchor_text,
  created_by: relation.created_by,
  created_at: relation.created_at,
  state,
});
