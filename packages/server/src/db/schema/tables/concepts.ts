import type { Generated } from "kysely";
import type { JsonText } from "../json-text.ts";

export interface ConceptRow {
  workspace_id: string;
  id: string;
  knowledge_base_id: number;
  name: string;
  /** Name, aliases and label names without case and accents, one per line, for `q`. */
  names_key: string;
  /** JSON array of names. */
  aliases: JsonText<string[]>;
  description: string;
  canonical_document_id: string | null;
  /** JSON array of labels, one per locale. */
  labels: string;
  valid_from: number | null;
  valid_to: number | null;
  /** The concept that this one was merged into, which is never itself merged. */
  merged_into: string | null;
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface ConceptSourceRow {
  workspace_id: string;
  concept_id: string;
  source_document_id: string;
  /** Empty if the whole document is the evidence. */
  source_block_id: string;
  source_version: string;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface ConceptRelationRow {
  workspace_id: string;
  id: string;
  predicate: "alias_of" | "broader_than" | "related_to";
  source_concept_id: string;
  target_concept_id: string;
  valid_from: number | null;
  valid_to: number | null;
  created_by: string;
  created_at: number;
}

export interface ConceptHistoryRow {
  id: Generated<number>;
  workspace_id: string;
  concept_id: string;
  action: string;
  user_id: string;
  /** JSON. */
  details: string;
  created_at: number;
}

export interface ConceptCandidateRow {
  workspace_id: string;
  id: string;
  knowledge_base_id: number;
  name: string;
  kind: "title" | "link";
  fingerprint: string;
  status: "pending" | "accepted" | "rejected";
  source_document_id: string;
  source_block_id: string | null;
  source_version: string;
  concept_id: string | null;
  revision: number;
  decided_by: string | null;
  created_at: number;
  updated_at: number;
}
