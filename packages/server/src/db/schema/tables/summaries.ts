export type SummaryScope = "section" | "document" | "folder" | "knowledge_base";

export interface SummaryRow {
  workspace_id: string;
  scope: SummaryScope;
  target_id: string;
  /** The section's heading; empty for the other scopes. */
  block_id: string;
  /** The document whose deletion removes the summary; null for folders and knowledge bases. */
  document_id: string | null;
  text: string;
  /** JSON array. */
  outline: string;
  generator: "deterministic" | "model" | "manual";
  source_version: string;
  /** JSON arrays of ids. */
  source_block_ids: string;
  source_document_ids: string;
  covered: number;
  total: number;
  pinned: number;
  revision: number;
  author_id: string | null;
  created_at: number;
  updated_at: number;
}
