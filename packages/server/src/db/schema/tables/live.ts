/** The live state of a document that people edit, beside its body. */
export interface LiveDocumentRow {
  workspace_id: string;
  document_id: string;
  /** ULID; a new one whenever the live state is made again. */
  epoch: string;
  /** Of the live state (packages/live, ENCODING); one of another number is made again. */
  encoding: number;
  /** A Yjs update: the state as of `state_seq`, always that of a fold. */
  state: Uint8Array;
  state_seq: number;
  /** The last of `live_updates`. Whoever counts it up holds this row's lock, so rows become visible in order. */
  last_seq: number;
  /** Bytes of the rows after `state_seq`. */
  bytes_since: number;
  /** The last row that is in the body, and the version of the body that it was folded into. */
  folded_seq: number;
  folded_version: string;
  /** Yjs client ids are given out here, so that no two writers have the same. */
  next_client: number;
  /** The process that folds, and the time until which others do not try. */
  holder: string;
  holder_until: number;
  /** Since when there are rows that are not folded; null when there are none. */
  unfolded_since: number | null;
  /** When somebody typed last: an editing session ends after a long pause. */
  session_edit_at: number;
  /** When somebody was connected last. */
  used_at: number;
}

/** An editor's update, or one that a fold made. */
export interface LiveUpdateRow {
  workspace_id: string;
  document_id: string;
  epoch: string;
  seq: number;
  payload: Uint8Array;
  client: number;
  /** Whose it is, for the caret of others; empty for a fold. */
  connection: string;
  user_id: string | null;
  /** Where the typist's caret stands, or what a fold has to say to the editors, as JSON; empty for neither. */
  place: string;
  created_at: number;
}

/** Somebody who has a document open in an editor. */
export interface LivePersonRow {
  workspace_id: string;
  document_id: string;
  connection: string;
  user_id: string;
  place: string;
  since: number;
  expires_at: number;
}

/** What is left of a dropped live state: which updates were in it, for a tab that comes back late. */
export interface LiveEpochRow {
  workspace_id: string;
  document_id: string;
  epoch: string;
  state_vector: Uint8Array;
  ended_at: number;
}

/** The body before an editing session, or as somebody wanted it kept. For the browser alone; no snapshot. */
export interface RestorePointRow {
  workspace_id: string;
  document_id: string;
  id: string;
  version: string;
  /** zstd of the JSON list of top-level blocks. */
  packed: Uint8Array;
  user_id: string;
  /** `session`: the state before one; `kept`: somebody wanted it kept. */
  reason: "session" | "kept";
  created_at: number;
}
