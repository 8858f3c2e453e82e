import type { DocumentType } from "./documents.ts";

/** The current body of a document: which segments, in which order. Written by bodies/ alone. */
export interface BodyRow {
  workspace_id: string;
  document_id: string;
  document_type: DocumentType;
  version: string;
  /** `<segment hash>:<block count>` for each segment, separated by commas. */
  manifest: string;
  /** What has become of `manifest` since it was written: a step for each later revision (bodies/manifest.ts) and a `;`. */
  steps: string;
  /** Counts the states of this body. */
  revision: number;
  /** How many of them live editing made: they have no snapshots, and a snapshot's `seq` does not count them. */
  live_revisions: number;
  /** Which source text its Markdown is written after (bodies/sources.ts); empty for none. */
  style: string;
  /** Counted up to take the row's lock, which both databases then hold to the end of the transaction. */
  lock: number;
}

/** The Markdown that a body was written from, and the version that it made. */
export interface BodySourceRow {
  workspace_id: string;
  document_id: string;
  version: string;
  source: string;
  /** JSON of the warnings that our own Markdown of that version has; null where they were not known. */
  warnings: string | null;
  /** Which rules made them (bodies/renderings.ts); null in rows that are older. */
  rules: number | null;
  /** Only earlier releases keep the HTML here: what follows it takes long to read. */
  html: string | null;
  /** The version that the warnings are of: a release that does not know them writes another version and leaves them. */
  rendered_version: string | null;
}

/** The HTML of a body that was written whole from Markdown, ready to be sent. */
export interface BodyHtmlRow {
  workspace_id: string;
  document_id: string;
  /** Of the body that it is of, which may be an earlier one. */
  version: string;
  /** Which rules made it. */
  rules: number;
  html: string;
}

export interface SegmentRow {
  workspace_id: string;
  document_id: string;
  hash: string;
  /** JSON array of top-level blocks in canonical form. */
  content: string;
  /** The `seq` of the state that last brought it in; see bodies/snapshots.ts. */
  added_revision: number;
  /** Its blocks as Markdown and as HTML (bodies/renderings.ts); null where they have to be made from the content. */
  markdown: string | null;
  html: string | null;
  /** Which rules made them; null in rows that are older than those columns. */
  rules: number | null;
}

export interface SnapshotRow {
  workspace_id: string;
  document_id: string;
  seq: number;
  version: string;
  /** What its manifest has other than that of the next snapshot, or of the body if it is the newest; see bodies/manifest.ts. */
  manifest: string;
  /** Hashes of the segments that the next one no longer has, separated by commas. */
  dropped: string;
  byte_size: number;
  character_count: number;
  reason: string;
  creator_id: string;
  created_at: number;
  /** JSON: who proposed the change that the creator accepted; null for a change of their own. */
  suggested_by: string | null;
  /** JSON: the program that made the change; null: a person in the browser, or a change from before this was kept. */
  client: string | null;
}
