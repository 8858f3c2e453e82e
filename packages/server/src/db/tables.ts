import type { Generated } from "kysely";

/** Times are milliseconds, booleans 0 or 1, JSON is text that SQL never looks into. Every tenant table begins its key with the workspace. */
export interface Tables {
  server_state: { key: string; value: string };

  users: { id: string; email: string; name: string; password_hash: string; created_at: number };
  workspaces: { id: string; name: string; created_at: number };
  memberships: { workspace_id: string; user_id: string; role: Role; created_at: number };
  tokens: TokenRow;
  sessions: SessionRow;
  device_codes: DeviceCodeRow;
  /** Open links into a workspace; a used or withdrawn one is gone. */
  invitations: InvitationRow;
  /** Wrong passwords and codes, counted per subject: nothing is tried for it before `free_at`. */
  attempts: { subject: string; failures: number; free_at: number; forgotten_at: number };

  /** Totals of a workspace. Taken last in a transaction (see db/transaction.ts), so that number order is commit order. */
  workspace_counters: {
    workspace_id: string;
    knowledge_bases: number;
    folders: number;
    documents: number;
    attachment_bytes: number;
    last_event_id: number;
  };

  knowledge_bases: KnowledgeBaseRow;
  folders: FolderRow;
  documents: DocumentRow;
  bodies: BodyRow;
  segments: SegmentRow;
  snapshots: SnapshotRow;
  events: EventRow;
  /** Server processes that hold event streams; one that dies is forgotten when its lease ends. */
  event_processes: { id: string; expires_at: number };
  event_streams: { token_id: string; id: string; process_id: string };
  changes: ChangeRow;
  inline_relations: InlineRelationRow;
  /** The version of the body that a document's inline relations were computed from. */
  relation_views: { workspace_id: string; document_id: string; version: string };
  manual_relations: ManualRelationRow;
  attachments: AttachmentRow;
  shares: ShareRow;
  trash: TrashRow;
  trash_items: { workspace_id: string; trash_id: string; position: number; packed: Uint8Array };
  /** Documents that are gone and whose stored parts are still to be removed, in the background. */
  purges: { workspace_id: string; document_id: string };

  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;

  concepts: ConceptRow;
  concept_sources: ConceptSourceRow;
  concept_relations: ConceptRelationRow;
  concept_history: ConceptHistoryRow;
  concept_candidates: ConceptCandidateRow;
  jobs: JobRow;
  summaries: SummaryRow;
  document_sets: DocumentSetRow;
  translation_states: TranslationStateRow;
  translation_units: TranslationUnitRow;
  localization_audit: LocalizationAuditRow;

  search_counters: SearchCountersRow;
  /** Which process does a workspace's background work on the index, and until when. */
  search_leases: { workspace_id: string; owner: string; until: number };
  search_documents: SearchDocumentRow;
  /** Document numbers whose blocks are not to be found: deleted and still to be removed, or not yet whole (`building`). */
  search_hidden: { workspace_id: string; number: number; building: number };
  search_blocks: SearchBlockRow;
  search_segments: SearchSegmentRow;
  /** `page_key` is the segment's id and the page's number and kind in one (views/search/page-key.ts). */
  search_pages: { workspace_id: string; page_key: number; first_term: string; content: Uint8Array };

  idempotency_keys: {
    workspace_id: string;
    token_id: string;
    key: string;
    fingerprint: string;
    status: number;
    headers: string;
    body: string;
    created_at: number;
  };
  /** Characters sent to the translation provider, per UTC day (`2026-01-31`). */
  translation_usage: { workspace_id: string; day: string; characters: number };
  rate_windows: { subject: string; window_start: number; used: number };
  audit_log: AuditRow;
}

export type Role = "owner" | "editor" | "viewer";
export type Access = "read_only" | "read_write";

export interface TokenRow {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  token_hash: string;
  access: Access;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_client: string | null;
}

export interface SessionRow {
  id: string;
  token_hash: string;
  user_id: string;
  workspace_id: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_seen_at: number;
}

export interface DeviceCodeRow {
  device_code_hash: string;
  user_code_hash: string;
  client_name: string;
  /** What the client asks for; once approved, what it gets. */
  access: Access;
  status: "pending" | "approved" | "denied" | "used";
  user_id: string | null;
  workspace_id: string | null;
  created_at: number;
  expires_at: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
}

export interface InvitationRow {
  id: string;
  workspace_id: string;
  token_hash: string;
  role: Role;
  note: string;
  created_by: string;
  created_at: number;
  expires_at: number;
}

export interface AuditRow {
  workspace_id: string;
  id: Generated<number>;
  created_at: number;
  user_id: string | null;
  token_id: string | null;
  client_name: string | null;
  client_version: string | null;
  agent: number;
  action: string;
  path: string;
  status: number;
  request_id: string;
}

export interface KnowledgeBaseRow {
  id: Generated<number>;
  workspace_id: string;
  confirm_id: string;
  name: string;
  document_count: number;
  folder_count: number;
  created_at: number;
  updated_at: number;
}

export interface FolderRow {
  id: Generated<number>;
  workspace_id: string;
  knowledge_base_id: number;
  parent_id: number | null;
  name: string;
  created_at: number;
  updated_at: number;
}

export type DocumentType = "document" | "spreadsheet";

export interface DocumentRow {
  workspace_id: string;
  id: string;
  knowledge_base_id: number;
  folder_id: number | null;
  title: string;
  /** The title without case and accents, for `q`. */
  title_key: string;
  document_type: DocumentType;
  heading_numbered: number;
  background_color: string | null;
  /** JSON array of block ids. */
  collapsed_block_ids: string;
  version: string;
  character_count: number;
  block_count: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  document_set_id: string | null;
  locale: string | null;
  variant_role: "source" | "target" | null;
  workflow_status: "draft" | "in_review" | "published" | "archived" | null;
  translated_from_document_id: string | null;
  translated_from_version: string | null;
}

/** The current body of a document: which segments, in which order. Written by bodies/ alone. */
export interface BodyRow {
  workspace_id: string;
  document_id: string;
  document_type: DocumentType;
  version: string;
  /** `<segment hash>:<block count>` for each segment, separated by commas. */
  manifest: string;
  /** Counts the states of this body; a snapshot's `seq` is the revision it holds. */
  revision: number;
  /** Counted up to take the row's lock, which both databases then hold to the end of the transaction. */
  lock: number;
}

export interface SegmentRow {
  workspace_id: string;
  document_id: string;
  hash: string;
  /** JSON array of top-level blocks in canonical form. */
  content: string;
  /** The revision that last brought it in. */
  added_revision: number;
}

export interface SnapshotRow {
  workspace_id: string;
  document_id: string;
  seq: number;
  version: string;
  /** What its manifest has other than that of the next revision; see bodies/manifest.ts. */
  manifest: string;
  /** Hashes of the segments that the next revision no longer has, separated by commas. */
  dropped: string;
  byte_size: number;
  character_count: number;
  reason: string;
  creator_id: string;
  created_at: number;
}

export interface EventRow {
  workspace_id: string;
  id: number;
  type: string;
  document_id: string;
  document_set_id: string | null;
  locale: string | null;
  created_at: number;
  /** The event's `data` as it is sent, JSON. */
  data: string;
}

/** What one write did to a body, by top-level block: a watermark that a change cursor can stand at. */
export interface ChangeRow {
  workspace_id: string;
  document_id: string;
  /** Of the body after the write. */
  revision: number;
  before_version: string;
  version: string;
  item_count: number;
  /** JSON, see resources/changes/stored-items.ts. */
  items: string;
}

export interface AttachmentRow {
  workspace_id: string;
  id: string;
  document_id: string;
  file_name: string;
  /** By the file's first bytes, never by what the sender said. */
  content_type: string;
  size: number;
  /** Lower-case hex. */
  sha256: string;
  width: number | null;
  height: number | null;
  /** Where the file lies. Copies of a document's attachments share it. */
  blob_key: string;
  created_by: string;
  created_at: number;
  /** Null while it is there. Deleted: the file goes after this time, and 0 is at once. */
  expires_at: number | null;
  /** The knowledge base that its document was deleted from. */
  removed_from: number | null;
}

export interface ShareRow {
  workspace_id: string;
  document_id: string;
  /** The link's token follows from this and the server's secret, so that it can be shown again and stands nowhere. */
  nonce: string;
  /** What a visitor's token is looked up by. */
  token_hash: string;
  created_by: string;
  created_at: number;
}

/** A subscription: where events of a workspace are sent to. */
export interface WebhookRow {
  workspace_id: string;
  id: string;
  url: string;
  description: string;
  /** JSON array. */
  event_types: string;
  /** Null for the whole workspace. */
  knowledge_base_id: number | null;
  /** 0 when paused by a person, or given up by the server, which then says why in `disabled_reason`. */
  enabled: number;
  /** `{code, message, at}`, JSON. */
  disabled_reason: string | null;
  /** The signing secret follows from this and the server's secret. */
  secret_nonce: string;
  /** The secret before, which signs too until `old_secret_expires_at`. */
  old_secret_nonce: string | null;
  old_secret_expires_at: number;
  /** Events up to this id have become deliveries, or were not wanted. */
  last_event_id: number;
  /** Failed attempts since the last that was accepted. */
  failures: number;
  failing_since: number | null;
  /** While it fails: when the receiver is tried next. */
  retry_at: number;
  /** When somebody has to look at it, apart from new events. */
  next_at: number;
  lease_owner: string | null;
  lease_until: number;
  revision: number;
  /** 1 when it is gone for everybody and its deliveries are still to be removed, in the background. */
  deleted: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveryRow {
  workspace_id: string;
  webhook_id: string;
  id: string;
  kind: "event" | "sync" | "test" | "redelivery";
  /** What the receiver knows repeats by. */
  message_id: string;
  /** Orders the deliveries of events; null for the others. */
  event_id: number | null;
  event_type: string;
  /** The body as it is sent, JSON. */
  payload: string;
  redelivery_of: string | null;
  status: "pending" | "succeeded" | "failed";
  attempts: number;
  first_attempt_at: number | null;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  response_status: number | null;
  /** The first bytes of the answer, as text. */
  response_body: string | null;
  /** `{code, message}`, JSON. */
  error: string | null;
  duration_ms: number | null;
  created_at: number;
  finished_at: number | null;
}

export interface TrashRow {
  workspace_id: string;
  id: string;
  kind: "document" | "folder";
  /** Id of the document or folder. */
  item_id: string;
  name: string;
  knowledge_base_id: number;
  document_count: number;
  deleted_by: string;
  deleted_at: number;
  expires_at: number;
}

/** Where a relation points to. */
interface RelationTarget {
  target_uri: string;
  target_document_id: string | null;
  target_block_id: string | null;
}

/** A link in a body that names something of this service. Derived: written by views/relations alone. */
export interface InlineRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  /** The document that the link is in. */
  document_id: string;
  source_block_id: string;
  /** The top-level block that has or holds the source block. */
  top_block_id: string;
  /** Host and path prefix of a link by web address, which counts only where that is this service; else empty. */
  via: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}

/** A relation that somebody stated. */
export interface ManualRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  document_id: string;
  source_block_id: string;
  /** The source document's version when it was stated. */
  source_version: string;
  predicate: string;
  target_document_id: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}

export type JobStatus = "pending" | "running" | "succeeded" | "failed" | "obsolete";

export interface JobRow {
  workspace_id: string;
  id: string;
  kind: string;
  status: JobStatus;
  /** What to do; JSON. */
  payload: string;
  /** How far it is; JSON. */
  progress: string;
  result: string | null;
  /** `{code, message}`, JSON. */
  error: string | null;
  attempts: number;
  /** The process that runs it. */
  lease_owner: string | null;
  /** Pending: not before this. Running: the lease ends then, and another process may take it. */
  ready_at: number;
  created_by: string;
  created_at: number;
  finished_at: number | null;
}

export type SummaryScope = "section" | "document" | "folder" | "knowledge_base";

export interface SummaryRow {
  workspace_id: string;
  scope: SummaryScope;
  target_id: string;
  /** The section's heading; empty for the other scopes. */
  block_id: string;
  /** The document it goes with; null for folders and knowledge bases. */
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

/** Taken last in a transaction, so that the order of block numbers is the order of commits. */
export interface SearchCountersRow {
  workspace_id: string;
  /** Grows with every rebuild; segments of another epoch do not count. */
  epoch: number;
  /** Blocks with a lower number are of an older epoch. */
  epoch_base: number;
  tokenizer_version: number;
  blocks: number;
  total_length: number;
  next_number: number;
  next_document: number;
  /** Segments of level 0. */
  level_zero: number;
  /** 1 when documents wait to be indexed or removed in the background. */
  backlog: number;
  /** Random, renewed by every transaction that changes the index: while it is the same, so is the index. */
  stamp: number;
}

export interface SearchDocumentRow {
  workspace_id: string;
  document_id: string;
  /** What the index knows the document by. Never used twice in a workspace. */
  number: number;
  /** The body's version that the index holds, if `indexed_epoch` is the current epoch. */
  indexed_version: string;
  /** 0 when the index does not hold the current body. */
  indexed_epoch: number;
  /** How many of its blocks are indexed, the title included. */
  blocks: number;
}

export interface SearchBlockRow {
  workspace_id: string;
  number: number;
  document: number;
  /** Empty for the title. */
  block_id: string;
  length: number;
}

export interface SearchSegmentRow {
  id: Generated<number>;
  workspace_id: string;
  epoch: number;
  /** Random: tells a segment from another of the same id, should the store be put back to an earlier state. */
  stamp: number;
  state: "building" | "live" | "dead";
  level: number;
  base: number;
  last: number;
  blocks: number;
  term_pages: number;
  dead: number;
  removed: Uint8Array;
  tombstones: Uint8Array;
  runs: Uint8Array;
  payload: Uint8Array | null;
}

export interface ConceptRow {
  workspace_id: string;
  id: string;
  knowledge_base_id: number;
  name: string;
  /** Name, aliases and label names without case and accents, one per line, for `q`. */
  names_key: string;
  /** JSON array of names. */
  aliases: string;
  description: string;
  canonical_document_id: string | null;
  /** JSON array of labels, one per locale. */
  labels: string;
  valid_from: number | null;
  valid_to: number | null;
  /** The concept that this one lives on in; always one that is not merged itself. */
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
  /** Empty when the whole document is the evidence. */
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
