export interface DocumentSetRow {
  workspace_id: string;
  id: string;
  /** The source-language version. */
  document_id: string;
  source_locale: string;
  fallback_locale: string;
  created_by: string;
  created_at: number;
}

/** One target-language version with the number of units in each state. Locking this row locks the units. */
export interface TranslationStateRow {
  workspace_id: string;
  /** The target version. */
  document_id: string;
  source_document_id: string;
  locale: string;
  /** The source's version that the units were computed from. */
  source_version: string;
  /** The newest version of the source with which every unit agreed; at first the one the target was made from. */
  agreed_source_version: string;
  missing: number;
  source_changed: number;
  current: number;
  conflict: number;
  ignored: number;
  orphaned: number;
  /** Orphans without a decision. */
  open_orphans: number;
  /** Target blocks that belong to a unit. */
  linked: number;
  /** Units without a block in the target; orphans are not counted. */
  unlinked: number;
}

/** One text block of the source and its block in one target version. */
export interface TranslationUnitRow {
  workspace_id: string;
  /** The target version. */
  document_id: string;
  id: string;
  source_block_id: string;
  /** Null if the source no longer has the block. */
  source_hash: string | null;
  /** Stays when the block is deleted, because it may come back. */
  target_block_id: string | null;
  target_present: number;
  /** Null if the target block is empty or deleted. */
  target_hash: string | null;
  /** The target's text at the time it was copied from the source: not a translation while it stays the same. */
  copied_hash: string | null;
  /** Both sides when they last agreed, and the origin of the target's text then. */
  agreed_source_hash: string | null;
  agreed_target_hash: string | null;
  agreed_origin: "machine" | "manual" | null;
  review_status: "unreviewed" | "current" | "ignored";
  /** `{nodes, job_id, source_hash, created_at}`, JSON. */
  candidate: string | null;
  updated_at: number;
}

export interface LocalizationAuditRow {
  workspace_id: string;
  id: string;
  /** The source version of the set. */
  document_id: string;
  action: string;
  /** JSON. */
  actor: string;
  locale: string | null;
  unit_id: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
  created_at: number;
}
