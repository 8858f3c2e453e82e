/** Who wrote something: a person in the browser, or a program with a token. */
export interface AuthorColumns {
  author_type: "user" | "token";
  /** Id of the user or of the token. */
  author_id: string;
  /** The user's or token's name at that time. */
  author_name: string;
  /** 1 when the program said that it acts for a language model. */
  author_agent: number;
  /** The person, or the person whose token it was. */
  user_id: string;
}

/** A comment. One that opens a thread has `thread_id` equal to its own id. */
export interface CommentRow extends AuthorColumns {
  workspace_id: string;
  id: string;
  document_id: string;
  thread_id: string;
  /** Null once deleted: the row then stays only because others have replied. */
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

/** A comment that was deleted. While others have replied to it, its emptied row stands in `comments` too. */
export interface DeletedCommentRow {
  workspace_id: string;
  id: string;
  document_id: string;
  thread_id: string;
  anchor_block_id: string | null;
  /** JSON, see resources/comments/deleted-comments.ts. */
  content: string;
  /** The user who deleted it. */
  deleted_by: string;
  deleted_at: number;
}

export type SuggestionStatus = "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";

/** Changes of a body that somebody proposes. */
export interface SuggestionRow extends AuthorColumns {
  workspace_id: string;
  id: string;
  document_id: string;
  base_version: string;
  /** As it was last decided; whether an open one can still be merged is seen when it is read. */
  status: SuggestionStatus;
  note: string;
  /** JSON, see resources/suggestions/stored-change.ts. */
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

/** Something that a person should know of. */
export interface NotificationRow {
  workspace_id: string;
  user_id: string;
  id: string;
  reason: NotificationReason;
  /** Empty for one that is about no document: access to a knowledge base or to the workspace, or an account. */
  document_id: string;
  knowledge_base_id: number | null;
  comment_id: string | null;
  suggestion_id: string | null;
  /** JSON: the author, in the shape of the API. */
  actor: string;
  /** The beginning of what was said. */
  excerpt: string;
  created_at: number;
  read_at: number | null;
  /** 0 for one that its person wanted by mail or webhook alone. */
  in_page: number;
  /** 1 while it waits for the next daily mail. */
  digest: number;
}

/** How a person wants to be told of what happens in a workspace. */
export interface NotificationSettingsRow {
  workspace_id: string;
  user_id: string;
  /** JSON: what differs from the defaults, see resources/notifications/settings.ts. */
  kinds: string;
  webhook_url: string | null;
  /** The signing secret follows from this and the server's secret. */
  webhook_nonce: string | null;
  updated_at: number;
}

/** The last event of a workspace that was turned into notifications for watchers. */
export interface WatchPositionRow {
  workspace_id: string;
  last_event_id: number;
}

/** A person who wants to hear of a document, or of everything in a folder or knowledge base. */
export interface WatchRow {
  workspace_id: string;
  user_id: string;
  kind: "document" | "folder" | "knowledge_base";
  /** Its id as text. */
  target_id: string;
  /** The same for a document, so that the watch goes and comes back with it; null for the others. */
  document_id: string | null;
  created_at: number;
}
