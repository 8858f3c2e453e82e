/** The live state of a document that people edit, stored beside its body. */
export interface LiveDocumentRow {
  workspace_id: string;
  document_id: string;
  /** ULID, renewed whenever the live state is rebuilt. */
  epoch: string;
  /** The encoding of the live state (packages/live, ENCODING); a state with another encoding is rebuilt. */
  encoding: number;
  /** A Yjs update: the state as of `state_seq`, always right after a fold. */
  state: Uint8Array;
  state_seq: number;
  /** The last row of `live_updates`. A writer locks this row to increment it, so rows become visible in order. */
  last_seq: number;
  /** Bytes of the rows after `state_seq`. */
  bytes_since: number;
  /** The last row that is in the body, and the version of the body after that fold. */
  folded_seq: number;
  folded_version: string;
  /** The next Yjs client id, assigned here so that no two writers share one. */
  next_client: number;
  /** The process that folds, and the time until which other processes do not try. */
  holder: string;
  holder_until: number;
  /** The time since which there are unfolded rows; null if there are none. */
  unfolded_since: number | null;
  /** Only earlier releases use it. */
  session_edit_at: number;
  /** The time of the last connection. */
  used_at: number;
}

/** An update from an editor or from a fold. */
export interface LiveUpdateRow {
  workspace_id: string;
  document_id: string;
  epoch: string;
  seq: number;
  payload: Uint8Array;
  client: number;
  /** The connection that sent it, for the carets of others; empty for a fold. */
  connection: string;
  user_id: string | null;
  /** The position of the typist's caret, or a fold's message to the editors, as JSON; empty for neither. */
  place: string;
  created_at: number;
}

/** A person who has a document open in an editor. */
export interface LivePersonRow {
  workspace_id: string;
  document_id: string;
  connection: string;
  user_id: string;
  place: string;
  since: number;
  expires_at: number;
}

/** The update ids of a dropped live state, for a tab that comes back late. */
export interface LiveEpochRow {
  workspace_id: string;
  document_id: string;
  epoch: string;
  state_vector: Uint8Array;
  ended_at: number;
}

/** The body before an editing session, or as a person saved it. Only earlier releases write it. */
export interface RestorePointRow {
  workspace_id: string;
  document_id: string;
  id: string;
  version: string;
  /** zstd of the JSON list of top-level blocks. */
  packed: Uint8Array;
  user_id: string;
  /** `session`: the state before an editing session; `kept`: a person saved it. */
  reason: "session" | "kept";
  created_at: number;
}

/** A state that a top-level block had before a change, stored for a little over a minute. */
export interface RecentStateRow {
  workspace_id: string;
  document_id: string;
  /** The body's revision with that state. */
  revision: number;
  block_id: string;
  /** JSON; null if the change added the block. */
  block: string | null;
  /** 1: the change was a live edit. */
  is_typed: number;
  created_at: number;
}
