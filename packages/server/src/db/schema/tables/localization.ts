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

/** One target-language version as a whole: how many of its units are in which state. Its row is the units' lock. */
export interface TranslationStateRow {
  workspace_id: string;
  /** The target version. */
  document_id: string;
  source_document_id: string;
  locale: string;
  /** The source's version that the units were computed from. */
  source_version: string;
  /** The newest version of the source that every unit agreed with; at first the one the target was made from. */
  agreed_source_version: string;
  missing: number;
  source_changed: number;
  current: number;
  conflict: number;
  ignored: number;
  orphaned: number;
  /** Orphans that nobody has decided about. */
  open_orphans: number;
  /** Target blocks that belong to a unit. */
  linked: number;
  /** Units, orphans left out, that have no block in the target. */
  unlinked: number;
}

/** One text block of the source and its block in one target version. */
export interface TranslationUnitRow {
  workspace_id: string;
  /** The target version. */
  document_id: string;
  id: string;
  source_block_id: string;
  /** Null when the source has the block no longer. */
  source_hash: string | null;
  /** Kept when the block is gone: it may come back. */
  target_block_id: string | null;
  target_present: number;
  /** Null when the target block is empty or gone. */
  target_hash: string | null;
  /** The target's text when it was copied from the source: no translation while it stays so. */
  copied_hash: string | null;
  /** Both sides as they last agreed, and how the target's text of then came about. */
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
