import type { DocumentType } from "./documents.ts";

/** The current body of a document: its segments in order. Only bodies/ writes it. */
export interface BodyRow {
  workspace_id: string;
  document_id: string;
  document_type: DocumentType;
  version: string;
  /** `<segment hash>:<block count>` for each segment, separated by commas. */
  manifest: string;
  /**
   * The changes to `manifest` since it was written: a step for each later revision (bodies/manifest.ts), each followed
   * by `;`.
   */
  steps: string;
  /** Counts the states of this body. */
  revision: number;
  /**
   * The number of revisions made by live editing. They have no snapshots, and a snapshot's `seq` does not count them.
   */
  live_revisions: number;
  /** The source text that the style of its Markdown follows (bodies/sources.ts); empty for none. */
  style: string;
  /** Incremented to take the row's lock, which both databases hold until the end of the transaction. */
  lock: number;
}

/** The Markdown that a body was written from, and the version that resulted. */
export interface BodySourceRow {
  workspace_id: string;
  document_id: string;
  version: string;
  source: string;
  /** JSON of the warnings for our own Markdown of that version; null if not computed. */
  warnings: string | null;
  /** The version of the rules that made them (bodies/renderings.ts); null in older rows. */
  rules: number | null;
  /** Only earlier releases store the HTML here. It makes the columns after it slow to read. */
  html: string | null;
  /**
   * The version that the warnings belong to. A release that does not know the warnings writes another version and
   * leaves them.
   */
  rendered_version: string | null;
}

/** The HTML of a body that was written whole from Markdown, ready to be sent. */
export interface BodyHtmlRow {
  workspace_id: string;
  document_id: string;
  /** The version of the body that the HTML belongs to, which may be an earlier one. */
  version: string;
  /** The version of the rules that made it. */
  rules: number;
  html: string;
}

export interface SegmentRow {
  workspace_id: string;
  document_id: string;
  hash: string;
  /** JSON array of top-level blocks in canonical form. */
  content: string;
  /** The `seq` of the state that last added the segment; see bodies/snapshots.ts. */
  added_revision: number;
  /** The blocks as Markdown and as HTML (bodies/renderings.ts); null if they must be rendered from the content. */
  markdown: string | null;
  html: string | null;
  /** The version of the rules that made them; null in rows older than those columns. */
  rules: number | null;
  /** JSON: who last changed each block (bodies/history/segment-authors.ts); null if not known. */
  authors: string | null;
}

export interface SnapshotRow {
  workspace_id: string;
  document_id: string;
  seq: number;
  version: string;
  /**
   * The difference between its manifest and that of the next snapshot, or of the body for the newest; see
   * bodies/manifest.ts.
   */
  manifest: string;
  /** Hashes of the segments that the next snapshot no longer has, separated by commas. */
  dropped: string;
  byte_size: number;
  character_count: number;
  reason: string;
  creator_id: string;
  created_at: number;
  /** JSON: the author of the suggestion that the creator accepted; null for the creator's own change. */
  suggested_by: string | null;
  /**
   * JSON: the program that made the change; null for a person in the browser, or a change from before this was stored.
   */
  client: string | null;
}
