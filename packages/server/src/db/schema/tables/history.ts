export type HistoryKind = "session" | "write" | "restore" | "suggestion" | "import";

/** A state that a body had: after an editing session of a person, or after a write. Only bodies/ writes it. */
export interface HistoryStateRow {
  workspace_id: string;
  document_id: string;
  id: string;
  /** Orders the states of a document; it rises with the body's revision. */
  place: number;
  kind: HistoryKind;
  /** The person who edited in a session; empty for other kinds. */
  user_id: string;
  version: string;
  /**
   * The difference between its manifest and that of the next state (bodies/manifest.ts); null for the newest state,
   * which the body still has.
   */
  step: string | null;
  /** JSON list of the writers who changed the body since the state before it; the first is the session's own. */
  writers: string;
  started_at: number;
  ended_at: number;
  /** A state with a name is kept for ever. */
  name: string | null;
  byte_size: number;
  /** The time when retention looks at it next; null if it never does. */
  due_at: number | null;
}

/** A segment that the body no longer has and an earlier state needs. */
export interface HistorySegmentRow {
  workspace_id: string;
  document_id: string;
  hash: string;
  /** The place of the oldest state that needed it when the body dropped it. */
  place: number;
}
