/** The author: a person in the browser, or a program with a token. */
export interface AuthorColumns {
  author_type: "user" | "token";
  /** Id of the user or token. */
  author_id: string;
  /** The name of the user or token at that time. */
  author_name: string;
  /** 1 if the program declared that it acts for a language model. */
  author_agent: number;
  /** The person, or the owner of the token. */
  user_id: string;
}

/** A comment. The first of a thread has `thread_id` equal to its own id. */
export interface CommentRow extends AuthorColumns {
  workspace_id: string;
  id: string;
  document_id: string;
  thread_id: string;
  /** Null once deleted: the row then stays only because it has replies. */
  markdown: string | null;
  /** The text without case and accents, for search. */
  text_key: string;
  /** Null for a comment on the whole document, and for replies. */
  anchor_block_id: string | null;
  /** Null for a comment on the whole block. */
  anchor_quote: string | null;
  anchor_start: number;
  anchor_before: string;
  anchor_after: string;
  revision: number;
  created_at: number;
  updated_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  deleted_at: number | null;
}

export interface CommentReactionRow {
  workspace_id: string;
  comment_id: string;
  document_id: string;
  emoji: string;
  user_id: string;
  created_at: number;
}

/** A deleted comment. While it has replies, its emptied row stays in `comments` too. */
export interface DeletedCommentRow {
  workspace_id: string;
  id: string;
  document_id: string;
  thread_id: string;
  anchor_block_id: string | null;
  /** JSON, see domain/discussion/comments/deleted-comments.ts. */
  content: string;
  /** The user who deleted it. */
  deleted_by: string;
  deleted_at: number;
}

export type SuggestionStatus = "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";

/** Proposed changes to a body. */
export interface SuggestionRow extends AuthorColumns {
  workspace_id: string;
  id: string;
  document_id: string;
  base_version: string;
  /** The last decision. Whether an open suggestion can still be merged is computed when it is read. */
  status: SuggestionStatus;
  note: string;
  /** JSON, see domain/discussion/suggestions/stored-change.ts. */
  changes: string;
  revision: number;
  created_at: number;
  updated_at: number;
  decided_at: number | null;
  decided_by: string | null;
  decision_reason: string | null;
}

export type NotificationReason =
  | "mention"
  | "reply"
  | "comment"
  | "suggestion"
  | "decision"
  | "share"
  | "invitation"
  | "security"
  | "watch";

/** A notification for a person. */
export interface NotificationRow {
  workspace_id: string;
  user_id: string;
  id: string;
  reason: NotificationReason;
  /** Empty for a notification without a document: access to a knowledge base or to the workspace, or an account. */
  document_id: string;
  knowledge_base_id: number | null;
  comment_id: string | null;
  suggestion_id: string | null;
  /** JSON: the author, in the shape of the API. */
  actor: string;
  /** The beginning of the text. */
  excerpt: string;
  created_at: number;
  read_at: number | null;
  /** 0 if the person wants it only by mail or webhook. */
  in_page: number;
  /** 1 while it waits for the next daily mail. */
  digest: number;
}

/** How a person wants to be notified in a workspace. */
export interface NotificationSettingsRow {
  workspace_id: string;
  user_id: string;
  /** JSON: the differences from the defaults, see domain/discussion/notifications/settings.ts. */
  kinds: string;
  webhook_url: string | null;
  /** The signing secret is derived from this and the server's secret. */
  webhook_nonce: string | null;
  updated_at: number;
}

/** The last event of a workspace for which watchers have been notified. */
export interface WatchPositionRow {
  workspace_id: string;
  last_event_id: number;
}

/** A person who watches a document, or everything in a folder or knowledge base. */
export interface WatchRow {
  workspace_id: string;
  user_id: string;
  kind: "document" | "folder" | "knowledge_base";
  /** The target's id as text. */
  target_id: string;
  /** The target again if it is a document, so that the watch is deleted and restored with it; otherwise null. */
  document_id: string | null;
  created_at: number;
}
