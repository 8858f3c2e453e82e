// Made by scripts/sdk-types.ts from openapi.json: do not edit, run `npm run openapi`.

/** A value of JSON whose members the API does not describe. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The answer with one thing. */
export interface Single<T> {
  data: T;
  request_id: string;
}

/** The answer with one page of a list. */
export interface List<T> {
  data: T[];
  page: Page;
  request_id: string;
}

export interface Page {
  cursor: string | null;
  next_cursor: string | null;
  has_more: boolean;
}

export type Me = {
  user: {
    id: string;
    email: string;
    name: string;
  };
  scopes: ("documents:read" | "documents:write" | "knowledge-bases:read" | "knowledge-bases:write" | "attachments:read" | "attachments:write" | "concepts:read" | "concepts:write" | "summaries:generate" | "documents:suggest")[];
  token_id: string;
  /** Whether the person writes in any knowledge base that the token reaches. */
  may_write: boolean;
  workspace: {
    id: string;
    name: string;
    role: "owner" | "editor" | "viewer";
  };
  token: {
    name: string;
    access: "read_only" | "suggest" | "read_write";
    /** Milliseconds since 1970-01-01 UTC. */
    created_at: number;
    expires_at: number | null;
    knowledge_base_ids: number[] | null;
  };
};

export type Quota = {
  workspace_id: string;
  knowledge_bases: {
    used: number;
    limit: number;
  };
  folders: {
    used: number;
    limit: number;
  };
  documents: {
    used: number;
    limit: number;
  };
  webhooks: {
    used: number;
    limit: number;
  };
  document_characters: {
    limit: number;
  };
  attachments: {
    used_bytes: number;
    limit_bytes: number;
    max_file_bytes: number;
  };
  machine_translation: {
    used_characters: number;
    limit_characters: number;
    /** Milliseconds since 1970-01-01 UTC. */
    resets_at: number;
  };
  /** The tokens of the model that answers questions, if the server has one. */
  questions: {
    used_tokens: number;
    limit_tokens: number;
    /** Milliseconds since 1970-01-01 UTC. */
    resets_at: number;
  };
};

export type DeviceCode = {
  /** Secret of the client, for polling. */
  device_code: string;
  /** For typing, eight letters in two groups. */
  user_code: string;
  /** The page where the person types the code. */
  verification_uri: string;
  /** The same with the code filled in. */
  verification_uri_complete: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds between two polls, at least. */
  interval: number;
};

export type DeviceToken = {
  /** Shown this once. */
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  /** The scopes, separated by spaces. */
  scope: string;
  scopes: ("documents:read" | "documents:write" | "knowledge-bases:read" | "knowledge-bases:write" | "attachments:read" | "attachments:write" | "concepts:read" | "concepts:write" | "summaries:generate" | "documents:suggest")[];
  token_id: string;
  access: "read_write" | "read_only";
};

export type KnowledgeBase = {
  id: number;
  /** The value that its deletion asks for. */
  confirm_id: string;
  name: string;
  document_count: number;
  folder_count: number;
  /** Its viewers may comment and suggest. */
  members_may_comment: boolean;
  /** `name`: folders first, each by name or title. `manual`: the order in which people have placed the items. */
  child_order: "name" | "manual";
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type KnowledgeBaseAccess = {
  default_role: "none" | "viewer" | "commenter" | "editor" | "owner" | null;
  /** `none` for a member beats groups and default. */
  members: readonly ({
    user_id: string;
    role: "none" | "viewer" | "commenter" | "editor" | "owner";
  })[];
  groups: readonly ({
    group_id: string;
    role: "none" | "viewer" | "commenter" | "editor" | "owner";
  })[];
};

export type Group = {
  id: string;
  name: string;
  members: {
    user_id: string;
    name: string;
  }[];
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type Member = {
  id: string;
  name: string;
  role: "owner" | "editor" | "viewer";
  picture_url: string | null;
};

export type Folder = {
  id: number;
  knowledge_base_id: number;
  parent_id: number | null;
  name: string;
  /** `name`: folders first, each by name or title. `manual`: the order in which people have placed the items. */
  child_order: "name" | "manual";
  index_document_id: string | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

/** The place among the items of the same parent: first, last, or beside one of them. It makes the order of the parent `manual`, beginning with the order shown so far. */
export type Place = {
  first?: true;
  last?: true;
  before?: {
    type: "document" | "folder";
    id: string | number;
  };
  after?: {
    type: "document" | "folder";
    id: string | number;
  };
};

export type Tree = {
  knowledge_base: KnowledgeBase;
  children: (FolderNode | DocumentItem)[];
};

export type FolderNode = {
  type: "folder";
  id: number;
  name: string;
  parent_id: number | null;
  index_document_id: string | null;
  children: (FolderNode | DocumentItem)[];
};

export type DocumentItem = {
  type: "document";
  id: string;
  title: string;
  document_type: "document" | "spreadsheet";
  folder_id: number | null;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type FolderItem = {
  type: "folder";
  id: number;
  name: string;
  parent_id: number | null;
  index_document_id: string | null;
  has_children: boolean;
};

export type Document = {
  id: string;
  uri: string;
  title: string;
  knowledge_base_id: number;
  folder_id: number | null;
  file_name: string | null;
  document_type: "document" | "spreadsheet";
  heading_numbered: boolean;
  background_color: string | null;
  collapsed_block_ids: string[];
  /** Offered as a beginning for new documents. */
  is_template: boolean;
  /** The body's version: its ETag. */
  version: string;
  character_count: number;
  /** Top-level blocks. */
  block_count: number;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  document_set_id: string | null;
  document_set_uri: string | null;
  locale: string | null;
  variant_role: "source" | "target" | null;
  workflow_status: "draft" | "in_review" | "published" | "archived" | null;
  translated_from_document_id: string | null;
  translated_from_version: string | null;
  translation_freshness: "current" | "source_changed" | "missing";
  /** Properties by name: texts, numbers, booleans, null, lists, and objects of those. Dates are ISO 8601 text. At most 64 names and 16 KB. */
  properties: JsonObject;
};

export type MarkdownContent = {
  format: "markdown";
  /** Markdown, with or without anchors. */
  content: string;
  /** For programs that keep files: by an address in this Markdown, how the file writes it. Without it, what is known stays. */
  file_addresses?: Record<string, unknown>;
};

export type TiptapContent = {
  format: "tiptap-json";
  /** A Tiptap document: `{"type": "doc", "content": [node, …]}`. */
  document: Record<string, unknown>;
};

export type DocumentPath = {
  knowledge_base: {
    id: number;
    name: string;
  };
  folders: {
    id: number;
    name: string;
  }[];
  document: {
    id: string;
    title: string;
  };
  path_text: string;
};

export type PersonalDocument = {
  document_id: string;
  title: string;
  document_type: "document" | "spreadsheet";
  knowledge_base_id: number;
  folder_id: number | null;
  /** Milliseconds since 1970-01-01 UTC. */
  at: number;
};

export type Picture = {
  /** The picture's address; a new picture has a new address. */
  url: string;
  content_type: string;
  width: number;
  height: number;
  /** In bytes. */
  size: number;
};

export type Content = {
  format: "tiptap-json" | "markdown" | "html";
  /** With `tiptap-json`. */
  document?: {
    type?: "doc";
    content?: Node[];
  };
  /** With `markdown` and `html`. */
  content?: string;
  /** As JSON with `front_matter`: by an address in the Markdown, how the file that it came from writes it. */
  file_addresses?: JsonObject;
  version: string;
  warnings: ContentWarning[];
};

export type ContentWarning = {
  code: string;
  block_id: string | null;
  node_type: string;
  message: string;
};

export type Written = {
  version: string;
  /** Added, changed, moved and removed blocks. */
  changed_block_ids: string[];
  /** The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result. */
  merged?: true;
  /** Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out. */
  warnings?: ContentWarning[];
};

export type Spreadsheet = {
  version: string;
  sheets: Sheet[];
};

export type Sheet = {
  /** The table. */
  block_id: string;
  name: string;
  row_count: number;
  column_count: number;
  /** The first row names the columns. */
  has_header: boolean;
  columns: ({
    type: "auto" | "text" | "number" | "date" | "check" | "choice";
    /** The options of a `choice` column. */
    choices: string[];
  })[];
  /** The range of `values`, such as `A1:D20`. */
  range: string;
  /** Rows of what the cells show: their texts, and the results of formulas. */
  values: string[][];
  /** The formulas among them by cell, such as `D2` → `=B2*C2`. */
  formulas: JsonObject;
  /** There are rows below that did not fit; ask for their `range`. */
  has_more: boolean;
};

export type DocumentProperties = {
  /** Properties by name: texts, numbers, booleans, null, lists, and objects of those. Dates are ISO 8601 text. At most 64 names and 16 KB. */
  properties: JsonObject;
  /** The YAML that they were read from, as it was written. */
  source: string;
  /** The ETag of the properties; another than the body's. */
  version: string;
};

export type PropertyTag = {
  tag: string;
  count: number;
};

export type LiveDocument = {
  editors: ({
    user: {
      id: string;
      name: string;
    };
    /** Milliseconds since 1970-01-01 UTC. */
    since: number;
    block_id: string | null;
  })[];
  unsaved_since: number | null;
  /** The version of the body that live editing last agreed with. */
  folded_version: string;
};

export type Outline = {
  version: string;
  items: OutlineItem[];
};

export type OutlineItem = {
  block_id: string;
  level: number;
  text: string;
  slug: string;
  position: number;
  range: {
    start_block_id: string;
    end_block_id: string;
    block_count: number;
  };
  children: OutlineItem[];
};

export type Reading = {
  items: ReadItem[];
  next_cursor: string | null;
  budget_exceeded: boolean;
  used_tokens: number;
  version: string;
  requested_locale: string | null;
  resolved_locale: string | null;
  fallback_used: boolean;
};

export type ReadItem = {
  block_id: string;
  type: string;
  heading_path: string[];
  tokens: number;
  /** Text, or for `tiptap-json` the node. */
  content: string | {} & Record<string, unknown>;
};

export type Block = {
  id: string;
  type: string;
  parent_id: string | null;
  /** Index among its siblings, from 0. */
  position: number;
  /** 0 at the top level. */
  depth: number;
  node: Node;
  text: string;
  /** With `format=markdown`. */
  markdown?: string;
  /** The document's. */
  version: string;
};

/** A Tiptap node. `attrs.id` is the block id; attributes that the schema does not know are kept as sent. */
export type Node = {
  type: string;
  attrs?: JsonObject;
  content?: readonly Node[];
  marks?: readonly {
    type: string;
    attrs?: JsonObject;
  }[];
  text?: string;
};

/** Exactly one of six ways to name a place. */
export type Position = {
  document_start: true;
} | {
  document_end: true;
} | {
  before_block_id: string;
} | {
  after_block_id: string;
} | {
  /** As the last child of that container. */
  parent_block_id: string;
} | {
  /** After the first top-level heading with this text, or else the first that contains it. */
  after_heading: string;
};

/** The heading that `after_heading` meant: it may contain more than the text that was sent. */
export type HeadingTaken = {
  block_id: string;
  text: string;
};

export type Operation = {
  op: "insert";
  position: Position;
  nodes: readonly Node[];
} | {
  op: "delete";
  block_id: string;
} | {
  op: "replace";
  block_id: string;
  node: Node;
} | {
  op: "move";
  block_id: string;
  position: Position;
} | {
  op: "set_attrs";
  block_id: string;
  attrs: Record<string, unknown>;
} | {
  op: "replace_text";
  block_id?: string;
  old: string;
  new: string;
  expected_count?: number;
} | {
  op: "edit_markdown";
  /** A stretch of the body's Markdown, white space included; it may run over several blocks. */
  old: string;
  /** Markdown in its place. */
  new: string;
  /** Only in the section of this heading: its text, or a block id. */
  section?: string;
  /** Which one, from 1, or all of them; left out, the text must occur once. */
  occurrence?: number | "all";
} | {
  op: "append_markdown";
  markdown: string;
  /** Only in the section of this heading: its text, or a block id. */
  section?: string;
};

export type Version = {
  seq: number;
  version: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  creator: {
    id: string;
    name: string | null;
  };
  byte_size: number;
  suggested_by: {
    type: "user" | "token";
    id: string;
    user_id: string | null;
    name: string;
    agent: boolean;
  } | null;
  client: {
    token_id: string;
    name: string | null;
    version: string | null;
    /** The program said that it acts for a language model. */
    agent: boolean;
  } | null;
  /** The write that followed: content, blocks, batch, rollback, translation, … */
  reason: string;
};

export type BlockDifference = {
  block_id: string;
  change_type: "added" | "removed" | "modified" | "moved";
  excerpt: string;
  old_position: number | null;
  new_position: number | null;
  old_block_id: string | null;
  words: ({
    kind: "same" | "added" | "removed" | "omitted";
    text: string;
  })[] | null;
};

export type HistoryState = {
  /** state_<ULID> */
  id: string;
  /** `session`: what one person typed in the browser without a pause. `write`: a write over the API. */
  kind: "session" | "write" | "restore" | "suggestion" | "import";
  version: string;
  /** The people who changed the text since the state before; of a session its own person first. */
  by: Writer[];
  /** Milliseconds since 1970-01-01 UTC. */
  started_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  ended_at: number;
  name: string | null;
  byte_size: number;
  /** For `If-Match` of a change of its name. */
  etag: string;
};

export type Writer = {
  user_id: string;
  name: string | null;
  /** The program said that it acts for a language model. */
  agent: boolean;
  client: string | null;
  accepted_by: {
    user_id: string;
    name: string | null;
  } | null;
};

export type BlockAuthor = {
  block_id: string;
  by: Writer | null;
  at: number | null;
  version: string | null;
};

export type CommentThread = {
  id: string;
  /** Id of the comment that opened the thread. */
  thread_id: string;
  document_id: string;
  anchor: CommentAnchor | null;
  body: {
    markdown: string;
    html: string;
  } | null;
  author: Author;
  /** Only its replies are left of it. */
  deleted: boolean;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  reactions: {
    emoji: string;
    count: number;
    /** The caller's user is among them. */
    mine: boolean;
  }[];
  /** The ETag. */
  version: string;
  replies: Comment[];
};

export type CommentAnchor = {
  /** The block that contains the passage now; the last one that did if it is gone. */
  block_id: string;
  quote: string | null;
  start: number | null;
  end: number | null;
  /** `ok`: it is in its block, wherever that is in the page. `moved`: it is in another block. `dangling`: it is gone. */
  state: "ok" | "moved" | "dangling";
};

export type Author = {
  /** `user`: a person in the browser. `token`: a program. */
  type: "user" | "token";
  /** Id of the user or of the token. */
  id: string;
  /** Name of the user or of the token. */
  name: string;
  /** The program said that it acts for a language model. */
  agent: boolean;
  /** The person, or the person whose token it is. */
  user_id: string;
};

export type Comment = {
  id: string;
  /** Id of the comment that opened the thread. */
  thread_id: string;
  document_id: string;
  anchor: CommentAnchor | null;
  body: {
    markdown: string;
    html: string;
  } | null;
  author: Author;
  /** Only its replies are left of it. */
  deleted: boolean;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  reactions: {
    emoji: string;
    count: number;
    /** The caller's user is among them. */
    mine: boolean;
  }[];
  /** The ETag. */
  version: string;
};

export type Suggestion = {
  id: string;
  document_id: string;
  base_version: string;
  /** `open` until every change is decided. `stale`: its base is no longer kept and nothing of it can be made. */
  status: "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";
  author: Author;
  note: string;
  changes: SuggestedChange[];
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  decided_at: number | null;
  decided_by: string | null;
  decision_reason: string | null;
  /** The ETag. */
  version: string;
};

export type SuggestedChange = {
  /** Within the suggestion. */
  id: string;
  block_id: string;
  change_type: "added" | "removed" | "modified" | "moved";
  before: {
    markdown: string;
    text: string;
  } | null;
  after: {
    markdown: string;
    text: string;
  } | null;
  /** `conflict`: its block has changed in another way since; it is accepted only with a person's own wording. */
  state: "open" | "accepted" | "rejected" | "conflict";
};

export type Notification = {
  id: string;
  reason: "mention" | "reply" | "comment" | "suggestion" | "decision" | "share" | "invitation" | "security" | "watch";
  document_id: string | null;
  document_title: string | null;
  knowledge_base_id: number | null;
  knowledge_base_name: string | null;
  comment_id: string | null;
  suggestion_id: string | null;
  actor: Author;
  excerpt: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  read_at: number | null;
};

export type NotificationSettings = {
  kinds: {
    mention: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    reply: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    comment: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    suggestion: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    decision: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    share: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    invitation: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    security: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
    watch: {
      /** Listed by `GET /notifications` and sent as `notification.created`. */
      page: boolean;
      /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
      email: "off" | "at_once" | "daily";
      /** Sent to `webhook_url`, where that is set. */
      webhook: boolean;
    };
  };
  webhook_url: string | null;
  webhook_secret: string | null;
  /** Whether this server sends mails at all. */
  mail: boolean;
};

export type RelationType = {
  name: string;
  /** How it reads from the target's side. */
  inverse_label: string;
  /** Made from links in bodies; cannot be stated by hand. */
  automatic: boolean;
  description: string;
};

export type Relation = {
  id: string;
  predicate: string;
  origin: "inline" | "manual";
  /** As seen from the document that was asked about. */
  direction: "outgoing" | "incoming";
  source_document_id: string;
  source_block_id: string;
  /** Inline: the version of the source's body that its links were last read from. Manual: the source's version when the relation was stated. */
  source_version: string;
  target_uri: string;
  target_document_id: string | null;
  target_block_id: string | null;
  anchor_text: string;
  created_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Whether the target is there now, as far as this token can see. */
  state: "ok" | "dangling_target_block" | "dangling_target_document";
};

export type LinkReportItem = {
  document_id: string;
  title: string;
  /** Relations from other documents; not for `dangling`. */
  incoming_count?: number;
  relation?: Relation;
};

export type Summary = {
  id: string;
  scope: "section" | "document" | "folder" | "knowledge_base";
  /** Markdown. */
  text: string;
  outline: ({
    level: number;
    text: string;
    block_id: string | null;
    document_id: string | null;
  })[];
  status: "ready" | "empty" | "generating";
  generator: "deterministic" | "model" | "manual";
  source_version: string;
  current_source_version: string;
  source_block_ids: string[];
  source_document_ids: string[];
  /** For folders and knowledge bases it counts documents. */
  coverage: {
    covered_blocks: number;
    total_blocks: number;
    ratio: number;
  };
  /** `stale`: the source has changed since. */
  freshness: "current" | "stale";
  pinned: boolean;
  /** The summary's own ETag. */
  summary_version: string;
  author: {
    id: string;
    name: string | null;
  } | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type SummaryJob = {
  id: string;
  status: "pending" | "running" | "succeeded" | "failed" | "obsolete";
  scope: "section" | "document" | "folder" | "knowledge_base";
  target_id: string;
  block_id: string | null;
  error: {
    code: string;
    message: string;
  } | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  finished_at: number | null;
  summary_version: string | null;
};

export type DocumentSet = {
  id: string;
  uri: string;
  source_locale: string;
  fallback_locale: string;
  source_document_id: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** The source first, then the others by language. */
  variants: LanguageVersion[];
};

export type LanguageVersion = {
  document_id: string;
  locale: string;
  variant_role: "source" | "target";
  workflow_status: "draft" | "in_review" | "published" | "archived";
  title: string;
  /** The worst of its units. */
  translation_freshness: "current" | "source_changed" | "missing";
  /** The body's version: its ETag. */
  version: string;
  /** Each unit counts once; an ignored one as that. */
  units: {
    /** Without the orphaned ones. */
    total: number;
    missing: number;
    source_changed: number;
    current: number;
    conflict: number;
    ignored: number;
    orphaned: number;
  };
};

export type Localizations = {
  id: string | null;
  uri: string | null;
  source_locale: string | null;
  fallback_locale: string | null;
  source_document_id: string;
  created_at: number | null;
  /** The source first, then the others by language. */
  variants: LanguageVersion[];
  requested_locale: string | null;
  resolved_locale: string | null;
  resolved_document_id: string;
  fallback_used: boolean;
};

export type LocalizationAuditRecord = {
  id: string;
  action: "activate" | "deactivate" | "add_version" | "change_version" | "delete_version" | "review" | "create_job" | "apply" | "edit_source" | "edit_target" | "remove_unit";
  actor: {
    user_id: string;
    token_id: string | null;
    client: string | null;
  };
  locale: string | null;
  unit_id: string | null;
  before: {} & Record<string, unknown> | null;
  after: {} & Record<string, unknown> | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
};

export type TranslationUnit = {
  id: string;
  locale: string;
  source_document_id: string;
  source_block_id: string;
  source_text: string | null;
  source_hash: string | null;
  target_document_id: string;
  target_block_id: string | null;
  target_text: string | null;
  /** The target document's ETag, for a review's If-Match. */
  target_version: string;
  freshness: "missing" | "source_changed" | "current" | "conflict" | "orphaned";
  review_status: "unreviewed" | "current" | "ignored";
  /** How the target's text came about. */
  origin: "none" | "machine" | "manual";
  candidate: {
    text: string;
    job_id: string;
    /** Milliseconds since 1970-01-01 UTC. */
    created_at: number;
  } | null;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type TranslationJob = {
  id: string;
  status: "pending" | "running" | "succeeded" | "failed" | "obsolete";
  /** The source. */
  document_id: string;
  source_version: string;
  target_document_id: string;
  target_locale: string;
  unit_count: number;
  units: ({
    unit_id: string;
    source_block_id: string;
    candidate: {
      text: string;
    } | null;
    error: string | null;
  })[];
  /** Charged to the day's quota. */
  input_characters: number;
  output_characters: number;
  estimated_cost: {
    amount: number;
    currency: string;
  };
  provider: string | null;
  error: {
    code: string;
    message: string;
  } | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  finished_at: number | null;
};

export type AppliedTranslation = {
  target_document_id: string;
  /** The target's version now. */
  version: string;
  changed_block_ids: string[];
  applied: ({
    unit_id: string;
    target_block_id: string | null;
  })[];
  skipped: ({
    unit_id: string;
    reason: "manual_edit" | "confirmed" | "conflict" | "ignored" | "no_candidate";
  })[];
};

export type Concept = {
  id: string;
  uri: string;
  knowledge_base_id: number;
  name: string;
  aliases: string[];
  description: string;
  canonical_document_id: string | null;
  labels: {
    locale: string;
    name: string;
    description: string;
    origin: string;
    created_by: string;
    /** Milliseconds since 1970-01-01 UTC. */
    created_at: number;
    /** Milliseconds since 1970-01-01 UTC. */
    updated_at: number;
  }[];
  valid_from: number | null;
  valid_to: number | null;
  /** The latest 100. */
  sources: ({
    document_id: string;
    block_id: string | null;
    source_version: string;
    current_version: string | null;
    freshness: "current" | "stale";
    state: "ok" | "dangling_source_block" | "dangling_source_document";
    created_by: string;
    /** Milliseconds since 1970-01-01 UTC. */
    created_at: number;
    /** Milliseconds since 1970-01-01 UTC. */
    updated_at: number;
  })[];
  /** The number of all evidence entries; `GET /concepts/{id}/sources` lists them. */
  source_count: number;
  /** The latest 100. */
  relations: ({
    id: string;
    predicate: "alias_of" | "broader_than" | "related_to";
    /** As seen from this concept. */
    direction: "outgoing" | "incoming";
    source_concept_id: string;
    target_concept_id: string;
    valid_from: number | null;
    valid_to: number | null;
    created_by: string;
    /** Milliseconds since 1970-01-01 UTC. */
    created_at: number;
  })[];
  /** The number of all relations; `GET /concepts/{id}/relations` lists them. */
  relation_count: number;
  merged_into: string | null;
  /** The merged id that was asked for. */
  redirected_from?: string;
  version: string;
  created_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type Traversal = {
  nodes: {
    id: string;
    uri: string;
    name: string;
    knowledge_base_id: number;
    /** Steps from the concept asked for. */
    depth: number;
  }[];
  edges: ({
    id: string;
    predicate: "alias_of" | "broader_than" | "related_to";
    source_concept_id: string;
    target_concept_id: string;
    valid_from: number | null;
    valid_to: number | null;
  })[];
  /** Milliseconds since 1970-01-01 UTC. */
  at: number;
  /** There was more than one answer holds. */
  truncated: boolean;
};

export type ConceptHistoryEntry = {
  id: number;
  concept_id: string;
  action: "created" | "changed" | "source_added" | "relation_added" | "merged" | "merged_into" | "unmerged";
  user_id: string;
  details: {} & Record<string, unknown>;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
};

export type ConceptCandidate = {
  id: string;
  knowledge_base_id: number;
  name: string;
  kind: "title" | "link";
  fingerprint: string;
  status: "pending" | "accepted" | "rejected";
  source_document_id: string;
  source_block_id: string | null;
  source_version: string;
  /** `stale`: the source has changed or is no longer in the knowledge base; extract again before accepting. */
  freshness: "current" | "stale";
  concept_id: string | null;
  version: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type Attachment = {
  id: string;
  document_id: string;
  file_name: string;
  /** Told by the file's first bytes; what the sender said is not believed. */
  content_type: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, in hex; also the download's ETag. */
  sha256: string;
  /** Path of the download; an image node's `src`. */
  url: string;
  /** Shows it in its document: a picture or a file, as a block by itself. */
  markdown: string;
  width: number | null;
  height: number | null;
  /** Whether `/attachments/{id}/text` and search have the file's text. `none`: it has none. */
  text_status: "pending" | "ready" | "none" | "failed";
  /** Nodes of the current body that show it. */
  reference_count: number;
  created_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
};

export type PublicShareChange = {
  expires_at?: number | null;
  password?: string | null;
};

export type PublicShare = {
  /** Anyone who has it can read in a browser what it shows. */
  url: string;
  token: string;
  /** A document, or a small site of a folder and all below it. */
  kind: "document" | "folder";
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  expires_at: number | null;
  /** Visitors are asked for a password. */
  has_password: boolean;
  access: "read_only";
  comments_enabled: false;
};

export type ListedPublicShare = {
  /** Anyone who has it can read in a browser what it shows. */
  url: string;
  token: string;
  /** A document, or a small site of a folder and all below it. */
  kind: "document" | "folder";
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  expires_at: number | null;
  /** Visitors are asked for a password. */
  has_password: boolean;
  access: "read_only";
  comments_enabled: false;
  document_id: string | null;
  folder_id: number | null;
  knowledge_base_id: number;
  /** The document's title or the folder's name. */
  title: string;
  created_by: {
    id: string;
    name: string | null;
  };
};

export type ImportJob = {
  id: string;
  status: "pending" | "running" | "succeeded" | "failed" | "obsolete";
  progress: {
    documents_total: number | null;
    documents_done: number;
  };
  knowledge_base_id: number | null;
  format: "svc" | "markdown" | "obsidian" | "logseq" | "mdbook" | "notion" | "confluence" | "html" | "word" | null;
  folders: number | null;
  documents: number | null;
  attachments: number | null;
  relations: number | null;
  concepts: number | null;
  links_resolved: number | null;
  links_unresolved: number | null;
  warnings: string[];
  error: {
    code: string;
    message: string;
  } | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  finished_at: number | null;
};

export type TrashEntry = {
  id: string;
  kind: "document" | "folder";
  /** Id that the document or folder had, and will have again. */
  item_id: string;
  name: string;
  knowledge_base_id: number;
  document_count: number;
  /** Public links that ended with it, and do not come back. */
  ended_links: number;
  deleted_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  deleted_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  expires_at: number;
};

export type Restored = {
  id: string;
  restored: true;
  kind: "document" | "folder";
  document_ids: string[];
  folder_ids: number[];
  /** Public links that it had before: they opened nothing since, and stay ended. */
  ended_links: number;
};

export type Event = {
  /** Rises by one within the workspace. */
  event_id: number;
  type: "document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided" | "notification.created";
  workspace_id: string;
  document_id: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  document: {
    title: string;
    knowledge_base_id: number;
    folder_id: number | null;
    document_type: "document" | "spreadsheet";
    version: string;
    updated_at: number;
    document_set_id: string | null;
    locale: string | null;
  } | null;
  actor: {
    user_id: string;
    token_id: string | null;
    client: string | null;
  };
  /** The subject of a `comment.…` event. */
  comment?: {
    id: string;
    thread_id: string;
  };
  /** The subject of a `suggestion.…` event. */
  suggestion?: {
    id: string;
    status: string;
  };
  /** The subject of `notification.created`. */
  notification?: {
    id: string;
    reason: string;
  };
};

export type DocumentDifference = {
  document_id: string;
  title: string;
  path_text: string;
  from_version: string | null;
  to_version: string | null;
  deleted_at: number | null;
  actors: ({
    id: string;
    name: string | null;
  })[];
  /** False when the state of that time is no longer kept. */
  complete: boolean;
  changes: ChangedBlock[];
};

export type ChangedBlock = {
  block_id: string;
  change_type: "added" | "removed" | "modified" | "moved";
  heading_path: string[];
  before: string | null;
  after: string | null;
};

export type Changes = {
  changes: BlockChange[];
  /** All top-level blocks, on the first call and with `sync_required`. */
  manifest?: BlockManifestEntry[];
  /** Send it as `after` next time. */
  cursor: string;
  /** The version that you have after this answer. */
  source_version: string;
  /** Whether that is the document's version now. */
  freshness: "current" | "stale";
  /** False when more changes wait: call again with `cursor`. */
  complete: boolean;
  /** The changes since your cursor are no longer kept: begin anew from `manifest`. */
  sync_required: boolean;
};

export type BlockChange = {
  block_id: string;
  change_type: "added" | "removed" | "modified" | "moved";
  /** The beginning of its text, as it is after the write; as it was when removed. */
  excerpt: string;
  old_position: number | null;
  new_position: number | null;
  type: string | null;
  hash: string | null;
  /** The version that the write made. */
  source_version: string;
  /** Resumes right after this change. */
  cursor: string;
};

export type BlockManifestEntry = {
  block_id: string;
  type: string;
  position: number;
  /** SHA-256 of the block's canonical JSON. */
  hash: string;
};

export type Webhook = {
  id: string;
  url: string;
  description: string;
  event_types: ("document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided")[];
  knowledge_base_id: number | null;
  enabled: boolean;
  /** `standard` (default): `{type, timestamp, data}`. The others are messages of these chat programs: a sentence with the page's title, which can neither mention anybody nor make links, and a link to the page. */
  format: "standard" | "slack" | "teams" | "discord";
  /** `failing`: the last attempts failed, and the receiver is tried now and then. `paused`: by a person. `disabled`: by the server, see `disabled_reason`. */
  status: "active" | "failing" | "paused" | "disabled";
  disabled_reason: {
    /** `failing`: for too long. `gone`: the receiver answered 410. */
    code: "failing" | "gone";
    message: string;
    /** Milliseconds since 1970-01-01 UTC. */
    at: number;
  } | null;
  failing_since: number | null;
  next_attempt_at: number | null;
  /** Events up to this id have been taken up. */
  last_event_id: number;
  previous_secret_expires_at: number | null;
  /** The ETag. */
  version: string;
  created_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
};

export type WebhookWithSecret = {
  id: string;
  url: string;
  description: string;
  event_types: ("document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided")[];
  knowledge_base_id: number | null;
  enabled: boolean;
  /** `standard` (default): `{type, timestamp, data}`. The others are messages of these chat programs: a sentence with the page's title, which can neither mention anybody nor make links, and a link to the page. */
  format: "standard" | "slack" | "teams" | "discord";
  /** `failing`: the last attempts failed, and the receiver is tried now and then. `paused`: by a person. `disabled`: by the server, see `disabled_reason`. */
  status: "active" | "failing" | "paused" | "disabled";
  disabled_reason: {
    /** `failing`: for too long. `gone`: the receiver answered 410. */
    code: "failing" | "gone";
    message: string;
    /** Milliseconds since 1970-01-01 UTC. */
    at: number;
  } | null;
  failing_since: number | null;
  next_attempt_at: number | null;
  /** Events up to this id have been taken up. */
  last_event_id: number;
  previous_secret_expires_at: number | null;
  /** The ETag. */
  version: string;
  created_by: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  /** `whsec_` and the key in base64. It is shown here and never again. */
  secret: string;
};

export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  kind: "event" | "sync" | "test" | "redelivery";
  /** Sent as `webhook-id`: the same whenever the message is sent again. */
  message_id: string;
  event_id: number | null;
  event_type: "document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided" | "sync.required" | "webhook.test";
  redelivery_of: string | null;
  status: "pending" | "succeeded" | "failed";
  attempts: number;
  response_status: number | null;
  response_body: string | null;
  error: {
    /** `url_not_allowed`, `name_not_found`, `address_not_allowed`, `connection_failed`, `tls_failed`, `timeout`, `redirect`, `refused`, `gone`, or `overrun`: too many others were waiting. */
    code: string;
    message: string;
  } | null;
  duration_ms: number | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  finished_at: number | null;
};

export type WebhookDeliveryWithPayload = {
  id: string;
  webhook_id: string;
  kind: "event" | "sync" | "test" | "redelivery";
  /** Sent as `webhook-id`: the same whenever the message is sent again. */
  message_id: string;
  event_id: number | null;
  event_type: "document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided" | "sync.required" | "webhook.test";
  redelivery_of: string | null;
  status: "pending" | "succeeded" | "failed";
  attempts: number;
  response_status: number | null;
  response_body: string | null;
  error: {
    /** `url_not_allowed`, `name_not_found`, `address_not_allowed`, `connection_failed`, `tls_failed`, `timeout`, `redirect`, `refused`, `gone`, or `overrun`: too many others were waiting. */
    code: string;
    message: string;
  } | null;
  duration_ms: number | null;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  finished_at: number | null;
  /** The body as it is sent; with another format than `standard`, what it is made from. */
  payload: {
    type: string;
    timestamp: string;
    data: {} & Record<string, unknown>;
  };
};

export type AuditEntry = {
  /** Rises with every entry. */
  id: number;
  workspace_id: string;
  /** Milliseconds since 1970-01-01 UTC. */
  created_at: number;
  user_id: string | null;
  email: string | null;
  token_id: string | null;
  client_name: string | null;
  client_version: string | null;
  /** The program said that it acts for a language model. */
  agent: boolean;
  /** The operation, such as `create_document`. */
  action: string;
  path: string;
  status: number;
  request_id: string;
  summary: string | null;
  created_id: string | null;
};

export type FileText = {
  attachment_id: string;
  document_id: string;
  file_name: string;
  text_status: "pending" | "ready" | "none" | "failed";
  reason: "unknown_type" | "encrypted" | "damaged" | "too_large" | "too_slow" | "empty" | null;
  /** Pages of a PDF, slides, or parts of about 4,000 characters of anything else. */
  page_count: number;
  /** The file has more text than is kept. */
  truncated: boolean;
  pages: ({
    /** From 1. */
    page: number;
    label: string | null;
    text: string;
    /** The page is longer than the budget; this is its beginning. */
    is_cut: boolean;
  })[];
  next_page: number | null;
  used_tokens: number;
};

export type RetrievalRecord = {
  content: string;
  score: number;
  title: string;
  metadata: {} & Record<string, unknown>;
};

export type SearchHit = {
  document_id: string;
  title: string;
  knowledge_base_id: number;
  folder_id: number | null;
  document_type: "document" | "spreadsheet";
  block_id: string | null;
  document_uri: string;
  path_text: string;
  heading_path: string[];
  /** The file that has the hit; `document_id` is the document that holds it. */
  attachment_id?: string;
  file_name?: string;
  page?: number | null;
  /** With `in=comments`; so is `thread_id`. */
  comment_id?: string;
  thread_id?: string;
  matched_in: "content" | "title" | "comment" | "file" | "file_name";
  /** One after the other they are a verbatim part of the block's text. */
  context: {
    before: string;
    match: string;
    after: string;
  };
  /** Words of the query that are neither in the block nor in its headings or title. */
  missing: string[];
  source_version: string;
  indexed_version: string;
  freshness: "current";
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  score: number;
  explanation?: SearchExplanation;
  summary?: {
    text: string;
    generator: "deterministic" | "model" | "manual";
    freshness: "current" | "stale";
  };
  block?: string | null;
  /** With `group_by=document`: all hits of the document. */
  hit_count?: number;
  /** With `group_by=document`: its best three. The item itself is the first. */
  hits?: SearchPlace[];
};

export type SearchExplanation = {
  model: "bm25";
  k1: number;
  b: number;
  field: "content" | "title";
  /** Words in this block. */
  length: number;
  average_length: number;
  /** Blocks in the workspace's index. */
  n: number;
  /** 2 for titles with `match=all`. With `best`: the best text of a section takes over the score of a better heading or code there, which follows it. */
  boost: number;
  /** Their contributions add up to the score. */
  terms: ({
    /** As typed. */
    term: string;
    /** As looked up. */
    indexed: string;
    kind: "term" | "phrase" | "prefix";
    /** The block itself, its document's title, its heading path, or its whole section. */
    field: "content" | "title" | "heading" | "section";
    /** The factor of the field. */
    weight: number;
    /** Counts once for each word that is in the block, its headings or its title. */
    presence: number;
    /** Occurrences in the field; 1 for headings, the title above a block, and the section. */
    tf: number;
    /** Blocks of the workspace that have it. */
    df: number;
    /** ln(1 + (n - df + 0.5) / (df + 0.5)) */
    idf: number;
    /** 1 - b + b · length / average_length; 1 for headings, titles above a block, and sections */
    length_norm: number;
    /** boost · idf · (weight · tf · (k1 + 1) / (tf + k1 · length_norm) + presence) */
    contribution: number;
  })[];
};

export type SearchPlace = {
  document_id: string;
  title: string;
  knowledge_base_id: number;
  folder_id: number | null;
  document_type: "document" | "spreadsheet";
  block_id: string | null;
  document_uri: string;
  path_text: string;
  heading_path: string[];
  /** The file that has the hit; `document_id` is the document that holds it. */
  attachment_id?: string;
  file_name?: string;
  page?: number | null;
  /** With `in=comments`; so is `thread_id`. */
  comment_id?: string;
  thread_id?: string;
  matched_in: "content" | "title" | "comment" | "file" | "file_name";
  /** One after the other they are a verbatim part of the block's text. */
  context: {
    before: string;
    match: string;
    after: string;
  };
  /** Words of the query that are neither in the block nor in its headings or title. */
  missing: string[];
  source_version: string;
  indexed_version: string;
  freshness: "current";
  /** Milliseconds since 1970-01-01 UTC. */
  updated_at: number;
  score: number;
  explanation?: SearchExplanation;
  summary?: {
    text: string;
    generator: "deterministic" | "model" | "manual";
    freshness: "current" | "stale";
  };
  block?: string | null;
};

/** Exact, of the whole result. */
export type SearchHitCounts = {
  total: number;
  /** Hits that have all the words themselves. */
  all_words: number;
  documents: number;
  content: number;
  title: number;
};

export type SearchProjection = {
  /** Every document that the filter allows is indexed in its current version. */
  complete: boolean;
  stale_count: number;
  /** At most 100. */
  stale_document_ids: string[];
};

export type SimpleSearchHit = {
  document_id: string;
  block_id: string | null;
  excerpt: string;
};

export type AskAnswer = {
  /** False if no passage has enough of the question's words. */
  found: boolean;
  generator: "extractive" | "model";
  /** `extractive`: the best passages word for word, those of one section together, the best first. `model`: its sentences as plain text, each with citations. */
  answer: {
    text: string;
    citations: number[];
  }[];
  citations: AskCitation[];
  /** With `generator: model`: which one. */
  model?: string;
  /** `citation_removed`, `sentence_removed`: the model's quote does not stand in its passage, or no citation was left. `model_answer_invalid`, `model_answer_unproven`, `model_unavailable`: the answer is extractive instead. */
  warnings: {
    code: string;
    message: string;
  }[];
};

export type AskCitation = {
  /** From 1. */
  n: number;
  document_id: string;
  block_id: string;
  /** The version of the document's body. */
  version: string;
  /** Word for word from the block in that version. */
  quote: string;
  title: string;
  heading_path: string[];
  uri: string;
};

export type ErrorBody = {
  error: {
    type: "request_error" | "authentication_error" | "permission_error" | "rate_limit_error" | "server_error";
    code: "invalid_request" | "invalid_json" | "invalid_cursor" | "cursor_mismatch" | "invalid_locale" | "confirmation_mismatch" | "authorization_pending" | "slow_down" | "expired_token" | "access_denied" | "token_missing" | "token_invalid" | "token_expired" | "token_revoked" | "insufficient_scope" | "insufficient_role" | "not_found" | "method_not_allowed" | "version_conflict" | "read_cursor_stale" | "search_cursor_stale" | "idempotency_conflict" | "idempotency_in_progress" | "attachment_referenced" | "evidence_stale" | "candidate_stale" | "candidate_decided" | "already_localized" | "locale_exists" | "localization_has_targets" | "job_not_applicable" | "relation_not_manual" | "concept_merged" | "suggestion_conflict" | "suggestion_decided" | "folder_cycle" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "invalid_document" | "duplicate_anchor" | "unknown_anchor" | "duplicate_block_id" | "block_not_found" | "heading_not_found" | "text_not_found" | "text_ambiguous" | "edit_changes_structure" | "unknown_predicate" | "invalid_target_uri" | "concept_self_loop" | "concept_cycle" | "quota_exceeded" | "document_too_large" | "invalid_properties" | "attachment_not_found" | "invalid_anchor" | "model_not_configured" | "precondition_required" | "rate_limited" | "translation_quota_exceeded" | "too_many_streams" | "internal_error" | "unavailable" | "unknown";
    message: string;
    details: {
      hint?: string;
    } & Record<string, unknown>;
  };
  /** Only from `/retrieval`, whose callers expect it. */
  error_code?: number;
  error_msg?: string;
  request_id: string;
};

/** The arguments and answers of each call, by path (without `/api/v1`) and method. */
export interface Paths {
  "/me": {
    /** The token's user, workspace and scopes. */
    get: {
      answer: Single<Me>;
    };
  };
  "/me/quota": {
    /** The workspace's usage and limits. */
    get: {
      answer: Single<Quota>;
    };
  };
  "/auth/device/code": {
    /** Begin a login that a person confirms in a browser. */
    post: {
      body: {
        /** Shown to the person who confirms. 1 to 500 characters after trimming, without control characters. */
        client_name: string;
        /** The requested scopes: all, the reading ones, or a list. The person may grant fewer. */
        scopes?: "read_write" | "read_only" | readonly ("documents:read" | "documents:write" | "knowledge-bases:read" | "knowledge-bases:write" | "attachments:read" | "attachments:write" | "concepts:read" | "concepts:write" | "summaries:generate" | "documents:suggest")[];
      };
      answer: Single<DeviceCode>;
    };
  };
  "/auth/device/token": {
    /** Fetch the token once the person has confirmed. */
    post: {
      body: {
        device_code: string;
      };
      answer: Single<DeviceToken>;
    };
  };
  "/knowledge-bases": {
    /** The knowledge bases of the workspace, by id. */
    get: {
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<KnowledgeBase>;
    };
    /** Make a knowledge base. */
    post: {
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name: string;
      };
      answer: Single<KnowledgeBase>;
    };
  };
  "/knowledge-bases/{id}": {
    /** One knowledge base. */
    get: {
      path: {
        id: number;
      };
      answer: Single<KnowledgeBase>;
    };
    /** Rename a knowledge base, or set its order and whether its viewers may comment. */
    patch: {
      path: {
        id: number;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name?: string;
        /** Whether its viewers may comment and suggest. Owners of the workspace change it. */
        members_may_comment?: boolean;
        /** `name`: folders first, each by name or title. `manual`: the order in which people have placed the items. */
        child_order?: "name" | "manual";
      };
      answer: Single<KnowledgeBase>;
    };
    /** Delete a knowledge base with everything in it, for good. */
    delete: {
      path: {
        id: number;
      };
      body: {
        confirm_id: string;
      };
      answer: Single<{
        id: number;
        deleted: true;
      }>;
    };
  };
  "/knowledge-bases/{id}/access": {
    /** The access list of a knowledge base. */
    get: {
      path: {
        id: number;
      };
      answer: Single<KnowledgeBaseAccess>;
    };
    /** Set who may do what in a knowledge base, replacing all of it. */
    put: {
      path: {
        id: number;
      };
      ifMatch: string;
      body: KnowledgeBaseAccess;
      answer: Single<KnowledgeBaseAccess>;
    };
  };
  "/groups": {
    /** The groups of the workspace's members, by id. */
    get: {
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Group>;
    };
    /** Make a group. Owners of the workspace do. */
    post: {
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name: string;
      };
      answer: Single<Group>;
    };
  };
  "/groups/{id}": {
    /** One group with its members. */
    get: {
      path: {
        /** grp_<ULID> */
        id: string;
      };
      answer: Single<Group>;
    };
    /** Rename a group. */
    patch: {
      path: {
        /** grp_<ULID> */
        id: string;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name: string;
      };
      answer: Single<Group>;
    };
    /** Delete a group; the roles that it had go with it. */
    delete: {
      path: {
        /** grp_<ULID> */
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/groups/{id}/members/{userId}": {
    /** Put a member of the workspace into a group. */
    put: {
      path: {
        /** grp_<ULID> */
        id: string;
        /** user_<ULID> */
        userId: string;
      };
      answer: Single<Group>;
    };
    /** Take a member out of a group. */
    delete: {
      path: {
        /** grp_<ULID> */
        id: string;
        /** user_<ULID> */
        userId: string;
      };
      answer: Single<Group>;
    };
  };
  "/members": {
    /** The people of the workspace, to mention them or to give them a role. */
    get: {
      query?: {
        /** Part of a name, whatever its case and accents. */
        q?: string;
        /** Only those who may see this document. */
        document_id?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Member>;
    };
  };
  "/members/{id}": {
    /** Somebody of the workspace. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Member>;
    };
  };
  "/folders": {
    /** Make a folder. */
    post: {
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name: string;
        knowledge_base_id: number;
        parent_id?: number | null;
      };
      answer: Single<Folder>;
    };
  };
  "/folders/{id}": {
    /** One folder. */
    get: {
      path: {
        id: number;
      };
      answer: Single<Folder>;
    };
    /** Rename or move a folder, or change its order or its place. */
    patch: {
      path: {
        id: number;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name?: string;
        /** Moves it, with its contents, to that knowledge base. */
        knowledge_base_id?: number;
        parent_id?: number | null;
        /** `name`: folders first, each by name or title. `manual`: the order in which people have placed the items. */
        child_order?: "name" | "manual";
        place?: Place;
        index_document_id?: string | null;
      };
      answer: Single<Folder>;
    };
    /** Delete a folder with all it holds. */
    delete: {
      path: {
        id: number;
      };
      answer: Single<{
        id: number;
        deleted: true;
      }>;
    };
  };
  "/knowledge-bases/{id}/tree": {
    /** All folders and documents of a knowledge base as one tree. */
    get: {
      path: {
        id: number;
      };
      answer: Single<Tree>;
    };
  };
  "/knowledge-bases/{id}/children": {
    /** The top-level items of a knowledge base, in its order. */
    get: {
      path: {
        id: number;
      };
      query?: {
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<FolderItem | DocumentItem>;
    };
  };
  "/folders/{id}/children": {
    /** The direct items of a folder, in its order. */
    get: {
      path: {
        id: number;
      };
      query?: {
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<FolderItem | DocumentItem>;
    };
  };
  "/documents": {
    /** Documents, by id or newest change first. */
    get: {
      query?: {
        /** In the title, whatever its case and accents. */
        q?: string;
        /** The last 8 characters of the id, as agents see them. */
        id_ends?: string;
        knowledge_base_id?: number;
        /** That folder's own documents only. */
        folder_id?: number;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
        /** ISO 8601 or milliseconds; not earlier than this. Without a zone it is UTC. */
        updated_since?: string;
        /** `id` ascending (default) or `updated_at`, newest first. */
        sort?: "id" | "updated_at";
        /** Only this language's versions. */
        locale?: string;
        /** `true`: templates only; `false`: none of them. */
        is_template?: boolean;
        /** Target language versions too. */
        include_variants?: boolean;
        /** `property.<name>=<value>`, such as `property.status=done`: only documents whose property has that value as text, or a list with that member. At most 8. */
        [name: `property.${string}`]: string;
      };
      answer: List<Document>;
    };
    /** Make a document, with its body if you like. */
    post: {
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        title: string;
        knowledge_base_id: number;
        folder_id?: number | null;
        document_type?: "document" | "spreadsheet";
        file_name?: string | null;
        heading_numbered?: boolean;
        background_color?: string | null;
        collapsed_block_ids?: readonly string[];
        /** A copy of it (`POST /documents/{id}/copy`) begins a new document. */
        is_template?: boolean;
        content?: MarkdownContent | TiptapContent;
      };
      answer: Single<Document>;
    };
  };
  "/documents/{id}": {
    /** One document's metadata. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Document>;
    };
    /** Change title, place or settings. */
    patch: {
      path: {
        id: string;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        title?: string;
        /** Moves it to that knowledge base. */
        knowledge_base_id?: number;
        folder_id?: number | null;
        place?: Place;
        file_name?: string | null;
        heading_numbered?: boolean;
        background_color?: string | null;
        collapsed_block_ids?: readonly string[];
        /** A copy of it (`POST /documents/{id}/copy`) begins a new document. */
        is_template?: boolean;
      };
      answer: Single<Document>;
    };
    /** Delete a document with its body and attachments. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/documents/{id}/path": {
    /** The knowledge base and folders that contain a document. */
    get: {
      path: {
        id: string;
      };
      answer: Single<DocumentPath>;
    };
  };
  "/documents/{id}/subpages": {
    /** Make a page below a page. */
    post: {
      path: {
        id: string;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        title: string;
        content?: MarkdownContent | TiptapContent;
      };
      answer: Single<Document>;
    };
  };
  "/ids": {
    /** Whole ids of things that are named by the end of their id. */
    get: {
      query: {
        /** The kind of resource that the id names. */
        kind: "comment" | "suggestion" | "relation" | "translation_job";
        /** The last 8 characters of the id, as agents see them. */
        id_ends: string;
      };
      answer: List<{
        id: string;
        kind: "comment" | "suggestion" | "relation" | "translation_job";
      }>;
    };
  };
  "/documents/{id}/copy": {
    /** Make a copy of a document, with its body and its files. */
    post: {
      path: {
        id: string;
      };
      body?: {
        /** 1 to 500 characters after trimming, without control characters. */
        title?: string;
        /** The target of the copy. */
        knowledge_base_id?: number;
        folder_id?: number | null;
      };
      answer: Single<Document>;
    };
  };
  "/me/favourites": {
    /** The documents that you marked as favourites, the latest first. */
    get: {
      query?: {
        limit?: number;
      };
      answer: List<PersonalDocument>;
    };
  };
  "/me/favourites/{id}": {
    /** Mark a document as one of your favourites. */
    put: {
      path: {
        id: string;
      };
      answer: Single<{
        document_id: string;
        /** Milliseconds since 1970-01-01 UTC. */
        at: number;
      }>;
    };
    /** Take a document off your favourites. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/me/recent": {
    /** The documents that you opened lately in the browser, the latest first. */
    get: {
      query?: {
        limit?: number;
      };
      answer: List<PersonalDocument>;
    };
  };
  "/me/recent/{id}": {
    /** Note that you opened a document; the pages do so. */
    put: {
      path: {
        id: string;
      };
      answer: Single<{
        document_id: string;
        /** Milliseconds since 1970-01-01 UTC. */
        at: number;
      }>;
    };
  };
  "/me/picture": {
    /** Choose the picture that you are shown with. */
    put: {
      body: {
        /** The file, in base64. */
        content: string;
      };
      answer: Single<Picture>;
    };
    /** Be shown without a picture. */
    delete: {
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/members/{id}/picture": {
    /** The picture of somebody in the workspace. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Only makes the address of another picture another one. */
        v?: string;
      };
      answer: Response;
    };
  };
  "/documents/{id}/content": {
    /** The whole body. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** `tiptap-json` (default) is lossless. */
        format?: "tiptap-json" | "markdown" | "html";
        /** With `format=markdown`: an anchor comment before each top-level block. */
        annotate?: "anchors";
        /** With `format=markdown`: the document's properties first, as front matter. */
        front_matter?: boolean;
        /** First bring in what people are typing in the browser, so that the answer has their newest word. */
        live?: boolean;
      };
      answer: Single<Content>;
    };
    /** Replace the whole body. */
    put: {
      path: {
        id: string;
      };
      query?: {
        /** The id of a Markdown block without an anchor: a new one (`new`, the default of a write), or the id of the stored block that it matches by content (`match`, the default of a suggestion). */
        ids?: "new" | "match";
        /** `suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`. */
        mode?: "write" | "suggest";
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
        /** The behaviour when the body has changed since `If-Match`: refuse (default), or merge by blocks as long as that version is kept; a block changed on both sides is still 409, with both in `details.conflicts`. */
        on_conflict?: "refuse" | "merge";
      };
      ifMatch: string;
      body: MarkdownContent | TiptapContent;
      answer: Single<Written> | Single<{
        suggestion_id: string | null;
        /** The body's, which stays as it is. */
        version: string;
        /** Blocks that change when all of it is accepted. */
        changed_block_ids: string[];
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
  };
  "/documents/{id}/spreadsheet": {
    /** The tables of a document as sheets, with the results of their formulas. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** One sheet: its name or the id of its table. Without it all of them, or for CSV the first. */
        sheet?: string;
        format?: "json" | "markdown" | "csv" | "xlsx";
        /** With `json` and `markdown`: cells such as `A1:D20`. At most 20,000 cells come at once. */
        range?: string;
        /** With `csv`: results (default), or formulas as they are written. */
        values?: "results" | "formulas";
        /** First bring in what people are typing in the browser. */
        live?: boolean;
      };
      answer: Single<Spreadsheet>;
    };
    /** Replace the sheets of a spreadsheet by those of a CSV or XLSX file. */
    put: {
      path: {
        id: string;
      };
      query?: {
        /** One sheet: its name or the id of its table. Without it all of them, or for CSV the first. */
        sheet?: string;
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch: string;
      body: {
        format: "csv" | "xlsx";
        /** The text of a CSV file, or the bytes of an XLSX file in base64. */
        content: string;
      };
      answer: Single<Written>;
    };
  };
  "/documents/{id}/properties": {
    /** A document's properties: its front matter. */
    get: {
      path: {
        id: string;
      };
      answer: Single<DocumentProperties>;
    };
    /** Replace a document's properties. */
    put: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        /** Properties by name: texts, numbers, booleans, null, lists, and objects of those. Dates are ISO 8601 text. At most 64 names and 16 KB. */
        properties: Record<string, unknown>;
      } | {
        /** YAML: a mapping of names to values. */
        source: string;
      };
      answer: Single<DocumentProperties>;
    };
  };
  "/knowledge-bases/{id}/tags": {
    /** The tags of its documents (the property `tags`), those of most documents first. */
    get: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<PropertyTag>;
    };
  };
  "/documents/{id}/live": {
    /** The people editing the document in a browser now, and whether some of their text is not in the body yet. */
    get: {
      path: {
        id: string;
      };
      answer: Single<LiveDocument>;
    };
  };
  "/documents/{id}/outline": {
    /** The headings as a tree, with the blocks of each section. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Outline>;
    };
  };
  "/documents/{id}/read": {
    /** Read blocks under a token budget. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Grow the window from this block to both sides. */
        around?: string;
        /** Begin with this block, or the one that holds it. */
        from?: string;
        /** Only the section of this heading block. */
        section?: string;
        max_tokens?: number;
        /** `markdown` (default). `outline` gives the headings only. */
        view?: "markdown" | "tiptap-json" | "plain-text" | "outline";
        /** `next_cursor` of the page before. */
        cursor?: string;
        /** The language version to read, with fallback. */
        locale?: string;
      };
      answer: Single<Reading>;
    };
  };
  "/documents/{id}/blocks": {
    /** The top-level blocks, or all of them. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Nested blocks too, each after its parent. */
        recursive?: boolean;
        /** `markdown` adds each block's Markdown. */
        format?: "tiptap-json" | "markdown";
        /** Blocks of any level whose id ends with these 8 characters, as agents see them. */
        id_ends?: string;
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Block>;
    };
    /** Insert blocks at a position. */
    post: {
      path: {
        id: string;
      };
      query?: {
        /** `suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`. */
        mode?: "write" | "suggest";
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch?: string;
      body: {
        position: Position;
        nodes: readonly Node[];
      };
      answer: Single<{
        version: string;
        /** Added, changed, moved and removed blocks. */
        changed_block_ids: string[];
        /** The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result. */
        merged?: true;
        /** Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out. */
        warnings?: ContentWarning[];
        blocks: Block[];
        position: HeadingTaken | null;
      }> | Single<{
        suggestion_id: string | null;
        /** The body's, which stays as it is. */
        version: string;
        /** Blocks that change when all of it is accepted. */
        changed_block_ids: string[];
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
  };
  "/documents/{id}/blocks/{blockId}": {
    /** One block, nested or not. */
    get: {
      path: {
        id: string;
        blockId: string;
      };
      query?: {
        /** `markdown` adds each block's Markdown. */
        format?: "tiptap-json" | "markdown";
      };
      answer: Single<Block>;
    };
    /** Replace a block, its attributes or its children; it keeps its id. */
    patch: {
      path: {
        id: string;
        blockId: string;
      };
      query?: {
        /** `suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`. */
        mode?: "write" | "suggest";
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch?: string;
      body: {
        node?: Node;
        /** Merged into the block's own; its id stays. */
        attrs?: Record<string, unknown>;
        /** Takes the place of the children. */
        content?: readonly Node[];
      };
      answer: Single<Written> | Single<{
        suggestion_id: string | null;
        /** The body's, which stays as it is. */
        version: string;
        /** Blocks that change when all of it is accepted. */
        changed_block_ids: string[];
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
    /** Delete a block with all it holds. */
    delete: {
      path: {
        id: string;
        blockId: string;
      };
      query?: {
        /** `suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`. */
        mode?: "write" | "suggest";
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch?: string;
      answer: Single<{
        id: string;
        deleted: true;
        version: string;
        /** Added, changed, moved and removed blocks. */
        changed_block_ids: string[];
        /** The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result. */
        merged?: true;
        /** Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out. */
        warnings?: ContentWarning[];
      }> | Single<{
        suggestion_id: string | null;
        /** The body's, which stays as it is. */
        version: string;
        /** Blocks that change when all of it is accepted. */
        changed_block_ids: string[];
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
  };
  "/documents/{id}/batch": {
    /** Several block operations, all or none. */
    post: {
      path: {
        id: string;
      };
      query?: {
        /** `suggest` keeps the change for people to decide and answers 202 with `suggestion_id`; so does every write of a token that may only suggest. A suggestion holds blocks only: properties in front matter are left out, and named in `warnings`. */
        mode?: "write" | "suggest";
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
        /** The behaviour when the body has changed since `base_version`: refuse (default), or merge by blocks as long as that version is kept; a block changed on both sides is still 409, with both in `details.conflicts`. */
        on_conflict?: "refuse" | "merge";
      };
      ifMatch?: string;
      body: {
        /** Or send it in `If-Match`. */
        base_version?: string;
        operations: readonly Operation[];
      };
      answer: Single<{
        version: string;
        /** Added, changed, moved and removed blocks. */
        changed_block_ids: string[];
        /** The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result. */
        merged?: true;
        /** Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out. */
        warnings?: ContentWarning[];
        results: ({
          op: string;
        } & Record<string, unknown>)[];
        /** The inserted blocks that are still there. */
        blocks: Block[];
        /** By operation; null without `after_heading`. */
        positions: (HeadingTaken | null)[];
      }> | Single<{
        suggestion_id: string | null;
        /** The body's, which stays as it is. */
        version: string;
        /** Blocks that change when all of it is accepted. */
        changed_block_ids: string[];
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
  };
  "/documents/{id}/sections/{blockId}/move": {
    /** Move the section of a heading, or one top-level block, to a place in this or another document. */
    post: {
      path: {
        id: string;
        blockId: string;
      };
      ifMatch?: string;
      body: {
        target_document_id: string;
        position?: Position;
      };
      answer: Single<{
        source: {
          document_id: string;
          version: string;
        };
        target: {
          document_id: string;
          version: string;
        };
        moved_block_ids: string[];
        relinked: {
          document_id: string;
          block_id: string;
        }[];
        /** Links in documents that the caller may only read. */
        not_relinked: {
          document_id: string;
          block_id: string;
        }[];
      }>;
    };
  };
  "/documents/{id}/versions": {
    /** Snapshots of earlier states, newest first. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Version>;
    };
  };
  "/documents/{id}/versions/{seq}": {
    /** The body as a snapshot kept it. */
    get: {
      path: {
        id: string;
        seq: number;
      };
      query?: {
        /** `tiptap-json` (default) is lossless. */
        format?: "tiptap-json" | "markdown" | "html";
        /** With `format=markdown`: an anchor comment before each top-level block. */
        annotate?: "anchors";
      };
      answer: Single<Content>;
    };
  };
  "/documents/{id}/versions/{seq}/diff": {
    /** Which top-level blocks differ between a snapshot and another state. */
    get: {
      path: {
        id: string;
        seq: number;
      };
      query?: {
        /** A `seq`, or `current` (default). */
        to?: string;
      };
      answer: Single<{
        from_version: string;
        to_version: string;
        changes: BlockDifference[];
      }>;
    };
  };
  "/documents/{id}/versions/{seq}/rollback": {
    /** Put an earlier state back, after keeping the current one as a snapshot. */
    post: {
      path: {
        id: string;
        seq: number;
      };
      query?: {
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch: string;
      answer: Single<Written>;
    };
  };
  "/documents/{id}/history": {
    /** All kept states of the body, newest first; the first is the current one. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<HistoryState>;
    };
  };
  "/documents/{id}/history/{stateId}": {
    /** The body as it was in a state. */
    get: {
      path: {
        id: string;
        /** state_<ULID> */
        stateId: string;
      };
      query?: {
        /** `tiptap-json` (default) is lossless. */
        format?: "tiptap-json" | "markdown" | "html";
        /** With `format=markdown`: an anchor comment before each top-level block. */
        annotate?: "anchors";
      };
      answer: Single<Content>;
    };
    /** Give a state a name, which keeps it for ever, or take the name away. */
    patch: {
      path: {
        id: string;
        /** state_<ULID> */
        stateId: string;
      };
      ifMatch: string;
      body: {
        name: string | null;
      };
      answer: Single<HistoryState>;
    };
  };
  "/documents/{id}/history/{stateId}/diff": {
    /** Which top-level blocks differ between a state and the one before it, or another one. */
    get: {
      path: {
        id: string;
        /** state_<ULID> */
        stateId: string;
      };
      query?: {
        /** The id of another state, or `current`. */
        with?: string;
      };
      answer: Single<{
        from_state_id: string | null;
        to_state_id: string | null;
        from_version: string | null;
        to_version: string;
        changes: BlockDifference[];
      }>;
    };
  };
  "/documents/{id}/history/{stateId}/restore": {
    /** Bring the text of a state back. The text that it replaces stays in the history. */
    post: {
      path: {
        id: string;
        /** state_<ULID> */
        stateId: string;
      };
      query?: {
        /** Answer what would happen, and store nothing. */
        dry_run?: boolean;
      };
      ifMatch?: string;
      answer: Single<{
        version: string;
        /** Added, changed, moved and removed blocks. */
        changed_block_ids: string[];
        /** The write named no version, and was merged word by word with what somebody typed there in the last minute: read the result. */
        merged?: true;
        /** Markdown kept as written because no node expresses it; for a suggested write, front matter that was left out. */
        warnings?: ContentWarning[];
        undo_state_id: string | null;
      }>;
    };
  };
  "/documents/{id}/blame": {
    /** The author and time of the last change of each top-level block. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Only the top-level block that is or contains this one. */
        block_id?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<BlockAuthor>;
    };
  };
  "/documents/{id}/comments": {
    /** The threads of a document, each with its replies. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** `open` by default. */
        state?: "open" | "resolved" | "all";
        /** Only threads whose passage is in this block. */
        block_id?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<CommentThread>;
    };
    /** Open a thread on a document, a block or a passage. */
    post: {
      path: {
        id: string;
      };
      body: {
        body: {
          format: "markdown";
          /** Not white space alone. */
          content: string;
        };
        /** Without `quote` and offsets the whole block is meant. */
        anchor?: {
          block_id: string;
          /** The passage, exactly as in the block's text. */
          quote?: string;
          /** Its start in the block's text, in UTF-16 units. */
          start?: number;
          /** Its end. */
          end?: number;
        };
      };
      answer: Single<Comment>;
    };
  };
  "/comments/{id}": {
    /** One comment. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Comment>;
    };
    /** Change the text of one's own comment. */
    patch: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        body: {
          format: "markdown";
          /** Not white space alone. */
          content: string;
        };
      };
      answer: Single<Comment>;
    };
    /** Delete one's own comment; an owner of the workspace may delete any. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/comments/{id}/restore": {
    /** Take the deletion of a comment back. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Comment>;
    };
  };
  "/comments/{id}/replies": {
    /** Reply in a thread. */
    post: {
      path: {
        id: string;
      };
      body: {
        body: {
          format: "markdown";
          /** Not white space alone. */
          content: string;
        };
      };
      answer: Single<Comment>;
    };
  };
  "/comments/{id}/resolve": {
    /** Mark a thread as resolved. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Comment>;
    };
  };
  "/comments/{id}/reopen": {
    /** Open a resolved thread again. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Comment>;
    };
  };
  "/comments/{id}/reactions/{emoji}": {
    /** React to a comment. */
    put: {
      path: {
        id: string;
        /** One emoji, percent-encoded. */
        emoji: string;
      };
      answer: Single<Comment>;
    };
    /** Take one's reaction back. */
    delete: {
      path: {
        id: string;
        /** One emoji, percent-encoded. */
        emoji: string;
      };
      answer: Single<Comment>;
    };
  };
  "/documents/{id}/suggestions": {
    /** The suggestions for a document. */
    get: {
      path: {
        id: string;
      };
      query?: {
        status?: "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Suggestion>;
    };
    /** Propose changes of a document for people to decide. */
    post: {
      path: {
        id: string;
      };
      body: {
        operations: readonly Operation[];
        /** Required: the ETag of the body that was read. */
        base_version?: string;
        /** Why, for whoever decides. */
        note?: string;
      } | {
        content: MarkdownContent | TiptapContent;
        /** Required: the ETag of the body that was read. */
        base_version?: string;
        /** Why, for whoever decides. */
        note?: string;
      };
      answer: Single<{
        id: string;
        document_id: string;
        base_version: string;
        /** `open` until every change is decided. `stale`: its base is no longer kept and nothing of it can be made. */
        status: "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";
        author: Author;
        note: string;
        changes: SuggestedChange[];
        /** Milliseconds since 1970-01-01 UTC. */
        created_at: number;
        /** Milliseconds since 1970-01-01 UTC. */
        updated_at: number;
        decided_at: number | null;
        decided_by: string | null;
        decision_reason: string | null;
        /** The ETag. */
        version: string;
        /** `properties_left_out`: the properties of the front matter, for a suggestion holds blocks only. */
        warnings?: ContentWarning[];
      }>;
    };
  };
  "/suggestions": {
    /** The suggestions of the workspace: an inbox. */
    get: {
      query?: {
        status?: "open" | "accepted" | "partly_accepted" | "rejected" | "withdrawn" | "stale";
        /** Id of a user or of a token. */
        author?: string;
        knowledge_base_id?: number;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Suggestion>;
    };
  };
  "/suggestions/{id}": {
    /** One suggestion, with what has become of its changes. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Suggestion>;
    };
  };
  "/suggestions/{id}/accept": {
    /** Make changes of a suggestion part of the document. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body?: {
        /** Only these changes; all that are not decided when left out. */
        change_ids?: readonly string[];
        /** The text to use instead of the proposed one, each change named once. These changes are accepted beside those of `change_ids`; without `change_ids` all others that are not decided are accepted too. */
        edits?: readonly ({
          change_id: string;
          markdown: string;
        } | {
          change_id: string;
          node: Node;
        })[];
      };
      answer: Single<Suggestion>;
    };
  };
  "/suggestions/{id}/reject": {
    /** Turn changes of a suggestion down. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body?: {
        /** Only these changes; all that are not decided when left out. */
        change_ids?: readonly string[];
        reason?: string;
      };
      answer: Single<Suggestion>;
    };
  };
  "/suggestions/{id}/reopen": {
    /** Reopen a suggestion that was rejected, withdrawn or undone. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      answer: Single<Suggestion>;
    };
  };
  "/suggestions/{id}/withdraw": {
    /** Take one's own suggestion back. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Suggestion>;
    };
  };
  "/notifications": {
    /** Your notifications: unread first, then newest first. */
    get: {
      query?: {
        /** Only those that are unread. */
        unread?: boolean;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Notification>;
    };
  };
  "/notifications/read": {
    /** Mark notifications as read. */
    post: {
      body: {
        ids?: readonly string[];
        /** All that came up to this time, in milliseconds. */
        before?: number;
      };
      answer: Single<{
        read: number;
      }>;
    };
  };
  "/notifications/settings": {
    /** Your notification settings in this workspace. */
    get: {
      answer: Single<NotificationSettings>;
    };
    /** Change your notification settings. */
    patch: {
      body: {
        kinds?: {
          mention?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          reply?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          comment?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          suggestion?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          decision?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          share?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          invitation?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          security?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
          watch?: {
            /** Listed by `GET /notifications` and sent as `notification.created`. */
            page?: boolean;
            /** `at_once`: a mail for each. `daily`: all of a day in one mail. */
            email?: "off" | "at_once" | "daily";
            /** Sent to `webhook_url`, where that is set. */
            webhook?: boolean;
          };
        };
        webhook_url?: string | null;
      };
      answer: Single<NotificationSettings>;
    };
  };
  "/documents/{id}/watch": {
    /** Whether you watch this document. */
    get: {
      path: {
        id: string;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Hear of changes, comments and suggestions on this document. */
    put: {
      path: {
        id: string;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Watch this document no longer. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
  };
  "/folders/{id}/watch": {
    /** Whether you watch this folder. */
    get: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Hear of changes, comments and suggestions on this folder and all that is in it. */
    put: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Watch this folder no longer. */
    delete: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
  };
  "/knowledge-bases/{id}/watch": {
    /** Whether you watch this knowledge base. */
    get: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Hear of changes, comments and suggestions on this knowledge base and all that is in it. */
    put: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
    /** Watch this knowledge base no longer. */
    delete: {
      path: {
        id: number;
      };
      answer: Single<{
        watching: boolean;
        since: number | null;
      }>;
    };
  };
  "/relation-types": {
    /** The registered predicates. */
    get: {
      answer: List<RelationType>;
    };
  };
  "/documents/{id}/relations": {
    /** A document's links and back-links. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** `both` (default) lists a document's relation to itself once. */
        direction?: "outgoing" | "incoming" | "both";
        predicate?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Relation> & {
        /** `stale`: some links have not been read from the current bodies yet, so the list may be incomplete. */
        projection_freshness: "current" | "stale";
      };
    };
  };
  "/relations": {
    /** State a relation from a block to a document or block. */
    post: {
      body: {
        source_document_id: string;
        source_block_id: string;
        /** `svc://doc/{id}`, with `#block={block id}` for a block. */
        target_uri: string;
        /** A registered predicate that is not automatic. */
        predicate: string;
        /** A few words about the relation. */
        anchor_text?: string;
      };
      answer: Single<Relation>;
    };
  };
  "/relations/{id}": {
    /** One relation. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Relation>;
    };
    /** Take a stated relation back. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/knowledge-bases/{id}/link-report": {
    /** Dangling links, documents that nothing points to, or the most linked documents. */
    get: {
      path: {
        id: number;
      };
      query?: {
        /** `dangling` by default. */
        report?: "dangling" | "unlinked" | "most_linked";
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<LinkReportItem> & {
        /** `stale`: some links have not been read from the current bodies yet, so the list may be incomplete. */
        projection_freshness: "current" | "stale";
      };
    };
  };
  "/documents/{id}/summary": {
    /** The summary of a document. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** A top-level heading: the summary of its section. */
        block_id?: string;
        /** The blocks that answer this best; never stored. */
        query?: string;
      };
      answer: Single<Summary>;
    };
    /** Save your own summary of a document. */
    put: {
      path: {
        id: string;
      };
      query?: {
        /** A top-level heading: the summary of its section. */
        block_id?: string;
      };
      ifMatch: string;
      body: {
        /** Not white space alone. */
        text: string;
        /** Required: the source version you read. */
        base_source_version?: string;
        /** Automatic work leaves a pinned summary alone. */
        pinned?: boolean;
      };
      answer: Single<Summary>;
    };
  };
  "/documents/{id}/summary/rebuild": {
    /** Make the summary of a document anew. */
    post: {
      path: {
        id: string;
      };
      query?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
        /** A top-level heading: the summary of its section. */
        block_id?: string;
      };
      body?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
        block_id?: string;
      };
      answer: Single<Summary> | Single<SummaryJob>;
    };
  };
  "/folders/{id}/summary": {
    /** The summary of a folder. */
    get: {
      path: {
        id: number;
      };
      answer: Single<Summary>;
    };
    /** Save your own summary of a folder. */
    put: {
      path: {
        id: number;
      };
      ifMatch: string;
      body: {
        /** Not white space alone. */
        text: string;
        /** Required: the source version you read. */
        base_source_version?: string;
        /** Automatic work leaves a pinned summary alone. */
        pinned?: boolean;
      };
      answer: Single<Summary>;
    };
  };
  "/folders/{id}/summary/rebuild": {
    /** Make the summary of a folder anew. */
    post: {
      path: {
        id: number;
      };
      query?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
      };
      body?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
      };
      answer: Single<Summary> | Single<SummaryJob>;
    };
  };
  "/knowledge-bases/{id}/summary": {
    /** The summary of a knowledge base. */
    get: {
      path: {
        id: number;
      };
      answer: Single<Summary>;
    };
    /** Save your own summary of a knowledge base. */
    put: {
      path: {
        id: number;
      };
      ifMatch: string;
      body: {
        /** Not white space alone. */
        text: string;
        /** Required: the source version you read. */
        base_source_version?: string;
        /** Automatic work leaves a pinned summary alone. */
        pinned?: boolean;
      };
      answer: Single<Summary>;
    };
  };
  "/knowledge-bases/{id}/summary/rebuild": {
    /** Make the summary of a knowledge base anew. */
    post: {
      path: {
        id: number;
      };
      query?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
      };
      body?: {
        /** `model` also needs `summaries:generate` and answers a job. */
        generator?: "deterministic" | "model";
      };
      answer: Single<Summary> | Single<SummaryJob>;
    };
  };
  "/summary-jobs/{id}": {
    /** How far a model summary is. */
    get: {
      path: {
        id: string;
      };
      answer: Single<SummaryJob>;
    };
  };
  "/document-sets/{id}": {
    /** A document set with all its language versions. */
    get: {
      path: {
        id: string;
      };
      answer: Single<DocumentSet>;
    };
  };
  "/documents/{id}/localizations": {
    /** The set that a document is a version of, and which version a language resolves to. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Resolve this language. */
        locale?: string;
      };
      answer: Single<Localizations>;
    };
    /** Add a target language version. */
    post: {
      path: {
        id: string;
      };
      body: {
        /** A BCP 47 language tag. */
        locale: string;
        /** 1 to 500 characters after trimming, without control characters. */
        title?: string;
        /** `copy_structure` (default): the same blocks with their text left empty. `copy_content`: with the source's text. `empty`: no blocks. */
        create_mode?: "copy_structure" | "copy_content" | "empty";
      };
      answer: Single<LanguageVersion>;
    };
  };
  "/documents/{id}/localization/activate": {
    /** Make a single-language document the source of a set, with its first target versions. */
    post: {
      path: {
        id: string;
      };
      body: {
        /** The language of the document as it is. */
        source_locale: string;
        target_locales?: readonly string[];
        /** Shown where a language is not there; the source's language when left out. */
        fallback_locale?: string;
        /** `copy_structure` (default): the same blocks with their text left empty. `copy_content`: with the source's text. `empty`: no blocks. */
        create_mode?: "copy_structure" | "copy_content" | "empty";
      };
      answer: Single<DocumentSet>;
    };
  };
  "/documents/{id}/localization/deactivate": {
    /** Make the source of a set without targets a single-language document again. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Document>;
    };
  };
  "/documents/{id}/localizations/{locale}": {
    /** Change the title or workflow status of a language version. */
    patch: {
      path: {
        id: string;
        locale: string;
      };
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        title?: string;
        workflow_status?: "draft" | "in_review" | "published" | "archived";
      };
      answer: Single<LanguageVersion>;
    };
    /** Delete a target language version. */
    delete: {
      path: {
        id: string;
        locale: string;
      };
      answer: Single<{
        /** Id of the version's document. */
        id: string;
        deleted: true;
      }>;
    };
  };
  "/documents/{id}/localization-audit": {
    /** The audit log of the translations, newest first. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<LocalizationAuditRecord>;
    };
  };
  "/documents/{id}/translation-units": {
    /** The text blocks of the source, each with its block in a target version and how the two stand. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** The target version. */
        locale?: string;
        freshness?: "missing" | "source_changed" | "current" | "conflict" | "orphaned";
        review_status?: "unreviewed" | "current" | "ignored";
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<TranslationUnit>;
    };
  };
  "/documents/{id}/translation-units/{unitId}": {
    /** Confirm or ignore a unit, or translate it by hand. */
    patch: {
      path: {
        id: string;
        unitId: string;
      };
      ifMatch: string;
      body: {
        review_status?: "current" | "ignored";
        /** A person's own text, as Markdown of one line: put into the target; with it `review_status` is `current` unless it says otherwise. */
        target_text?: string;
      };
      answer: Single<TranslationUnit>;
    };
  };
  "/documents/{id}/translation-jobs": {
    /** Let the machine make candidates for some units. */
    post: {
      path: {
        id: string;
      };
      body: {
        /** The language of a target version that is there. */
        target_locale: string;
        unit_ids?: readonly string[];
      };
      answer: Single<TranslationJob>;
    };
  };
  "/translation-jobs/{id}": {
    /** Progress, candidates, usage and cost of a translation job. */
    get: {
      path: {
        id: string;
      };
      answer: Single<TranslationJob>;
    };
  };
  "/translation-jobs/{id}/apply": {
    /** Put candidates into the target version. */
    post: {
      path: {
        id: string;
      };
      ifMatch?: string;
      body?: {
        unit_ids?: readonly string[];
        /** The target document's ETag, instead of If-Match. */
        base_target_version?: string;
      };
      answer: Single<AppliedTranslation>;
    };
  };
  "/concepts": {
    /** The explicit concepts, by knowledge base. */
    get: {
      query?: {
        knowledge_base_id?: number;
        q?: string;
        /** The last 8 characters of the id, as agents see them. */
        id_ends?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Concept> & {
        complete: boolean;
      };
    };
    /** Make a concept. */
    post: {
      body: {
        knowledge_base_id: number;
        /** 1 to 500 characters after trimming, without control characters. */
        name: string;
        aliases?: readonly string[];
        description?: string;
        canonical_document_id?: string | null;
        labels?: readonly ({
          /** BCP 47. */
          locale: string;
          /** 1 to 500 characters after trimming, without control characters. */
          name: string;
          description?: string;
          origin?: "manual" | "imported" | "machine";
        })[];
        valid_from?: number | null;
        valid_to?: number | null;
      };
      answer: Single<Concept>;
    };
  };
  "/concepts/{id}": {
    /** One concept. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Concept>;
    };
    /** Change a concept. */
    patch: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        /** 1 to 500 characters after trimming, without control characters. */
        name?: string;
        aliases?: readonly string[];
        description?: string;
        canonical_document_id?: string | null;
        labels?: readonly ({
          /** BCP 47. */
          locale: string;
          /** 1 to 500 characters after trimming, without control characters. */
          name: string;
          description?: string;
          origin?: "manual" | "imported" | "machine";
        })[];
        valid_from?: number | null;
        valid_to?: number | null;
      };
      answer: Single<Concept>;
    };
  };
  "/concepts/{id}/sources": {
    /** Add evidence. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        document_id: string;
        block_id?: string | null;
        source_version: string;
      };
      answer: Single<Concept>;
    };
    /** All evidence of a concept, by document and block. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<{
        document_id: string;
        block_id: string | null;
        source_version: string;
        current_version: string | null;
        freshness: "current" | "stale";
        state: "ok" | "dangling_source_block" | "dangling_source_document";
        created_by: string;
        /** Milliseconds since 1970-01-01 UTC. */
        created_at: number;
        /** Milliseconds since 1970-01-01 UTC. */
        updated_at: number;
      }>;
    };
  };
  "/concepts/{id}/relations": {
    /** Relate it to another concept. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        /** alias_of, broader_than, related_to */
        predicate: string;
        target_concept_id: string;
        valid_from?: number | null;
        valid_to?: number | null;
      };
      answer: Single<Concept>;
    };
    /** All relations of a concept, from it and to it, in the order in which they came to be. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<{
        id: string;
        predicate: "alias_of" | "broader_than" | "related_to";
        /** As seen from this concept. */
        direction: "outgoing" | "incoming";
        source_concept_id: string;
        target_concept_id: string;
        valid_from: number | null;
        valid_to: number | null;
        created_by: string;
        /** Milliseconds since 1970-01-01 UTC. */
        created_at: number;
      }>;
    };
  };
  "/concepts/{id}/merge": {
    /** Let another concept live on in this one. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body: {
        source_concept_id: string;
        /** Required: the version of the concept to be merged. */
        source_version?: string;
      };
      answer: Single<Concept>;
    };
  };
  "/concepts/{id}/unmerge": {
    /** Take a merge back. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      answer: Single<Concept>;
    };
  };
  "/concepts/{id}/traverse": {
    /** A concept's relations at an instant. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Milliseconds; now when left out. */
        at?: number;
        direction?: "outgoing" | "incoming" | "both";
        /** alias_of, broader_than, related_to */
        predicate?: string;
        depth?: number;
      };
      answer: Single<Traversal>;
    };
  };
  "/concepts/{id}/history": {
    /** The history of a concept and of those merged into it, newest first. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<ConceptHistoryEntry>;
    };
  };
  "/concept-candidates": {
    /** Proposed concepts, to be accepted or rejected. */
    get: {
      query?: {
        knowledge_base_id?: number;
        status?: "pending" | "accepted" | "rejected";
        /** The last 8 characters of the id, as agents see them. */
        id_ends?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<ConceptCandidate>;
    };
  };
  "/concept-candidates/extract": {
    /** Propose concepts from titles and link texts. */
    post: {
      body: {
        knowledge_base_id?: number;
        document_id?: string;
      };
      answer: Single<{
        created: number;
        refreshed: number;
        skipped_rejected: number;
      }>;
    };
  };
  "/concept-candidates/{id}/accept": {
    /** Make a candidate a concept, or another name of one. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      body?: {
        /** Add it to this concept instead of making a new one. */
        concept_id?: string;
        /** Instead of the candidate's own. 1 to 500 characters after trimming, without control characters. */
        name?: string;
      };
      answer: Single<ConceptCandidate>;
    };
  };
  "/concept-candidates/{id}/reject": {
    /** Reject a candidate: it is not proposed again. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      answer: Single<ConceptCandidate>;
    };
  };
  "/concept-candidates/{id}/reopen": {
    /** Take a rejection back. */
    post: {
      path: {
        id: string;
      };
      ifMatch: string;
      answer: Single<ConceptCandidate>;
    };
  };
  "/attachments": {
    /** Upload a file to a document. */
    post: {
      body: FormData;
      answer: Single<Attachment>;
    };
  };
  "/attachments/{id}": {
    /** The file itself. */
    get: {
      path: {
        /** att_<ULID> */
        id: string;
      };
      answer: Response;
    };
    /** Delete a file. */
    delete: {
      path: {
        /** att_<ULID> */
        id: string;
      };
      query?: {
        /** Also take the nodes that show it out of the body. */
        force?: boolean;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/attachments/{id}/metadata": {
    /** A file's metadata, and how often the body shows it. */
    get: {
      path: {
        /** att_<ULID> */
        id: string;
      };
      answer: Single<Attachment>;
    };
  };
  "/documents/{id}/attachments": {
    /** A document's attachments, oldest first. */
    get: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Attachment>;
    };
  };
  "/attachments/{id}/restore": {
    /** Take the deletion of a file back. */
    post: {
      path: {
        /** att_<ULID> */
        id: string;
      };
      answer: Single<Attachment>;
    };
  };
  "/documents/{id}/public-share": {
    /** Make sure that the document has a public, read-only link. */
    post: {
      path: {
        id: string;
      };
      body?: PublicShareChange;
      answer: Single<PublicShare>;
    };
    /** The document's public link; 404 if it has none. */
    get: {
      path: {
        id: string;
      };
      answer: Single<PublicShare>;
    };
    /** Withdraw the public link: it opens nothing any more, and a later one is another. */
    delete: {
      path: {
        id: string;
      };
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/folders/{id}/public-share": {
    /** Make sure that the folder has a public, read-only link. */
    post: {
      path: {
        id: number;
      };
      body?: PublicShareChange;
      answer: Single<PublicShare>;
    };
    /** The folder's public link; 404 if it has none. */
    get: {
      path: {
        id: number;
      };
      answer: Single<PublicShare>;
    };
    /** Withdraw the public link: it opens nothing any more, and a later one is another. */
    delete: {
      path: {
        id: number;
      };
      answer: Single<{
        id: number;
        deleted: true;
      }>;
    };
  };
  "/public-shares": {
    /** All public links of the workspace, the newest first. For its owners. */
    get: {
      query?: {
        /** Only those of this knowledge base. */
        knowledge_base_id?: number;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<ListedPublicShare>;
    };
  };
  "/knowledge-bases/{id}/export": {
    /** Everything in a knowledge base as one ZIP archive. */
    get: {
      path: {
        id: number;
      };
      answer: Response;
    };
  };
  "/folders/{id}/export": {
    /** A folder and what is below it as one ZIP archive. */
    get: {
      path: {
        id: number;
      };
      answer: Response;
    };
  };
  "/knowledge-bases/import": {
    /** Make a knowledge base from a ZIP archive, in the background. */
    post: {
      body: FormData;
      answer: Single<ImportJob>;
    };
  };
  "/import-jobs/{id}": {
    /** How far an import is, and how it ended. */
    get: {
      path: {
        /** ijob_<ULID> */
        id: string;
      };
      answer: Single<ImportJob>;
    };
  };
  "/trash": {
    /** Deleted documents and folders that can be restored, newest first. */
    get: {
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<TrashEntry>;
    };
  };
  "/trash/{id}/restore": {
    /** Put a deleted document or folder back, with the same ids. */
    post: {
      path: {
        id: string;
      };
      answer: Single<Restored>;
    };
  };
  "/events": {
    /** A stream of the changes to documents, as they happen. */
    get: {
      query?: {
        /** Resumes after this event, like the header `Last-Event-ID`, which wins. */
        last_event_id?: string;
        /** The `history` of `GET /changes` that your id belongs to: in another one the id is unknown. */
        history?: string;
        /** Only events of the language versions in this document set. */
        document_set_id?: string;
        /** Only events of documents in this language. */
        locale?: string;
      };
      answer: Response;
    };
  };
  "/changes": {
    /** The same events as a list, for clients that cannot hold a stream. */
    get: {
      query?: {
        /** Id of the last event you processed. Without it the list is empty, and `resume_from` is the newest position. */
        after?: string;
        /** Events per answer. */
        limit?: number;
        /** The `history` of `GET /changes` that your id belongs to: in another one the id is unknown. */
        history?: string;
        /** Only events of the language versions in this document set. */
        document_set_id?: string;
        /** Only events of documents in this language. */
        locale?: string;
      };
      answer: List<Event> & {
        /** Send this as `after` next time. */
        resume_from: number;
        /** Events after your id are no longer kept, or the id is not ours: list the documents, then go on. */
        sync_required: boolean;
        oldest_available: number | null;
        reason: "cursor_expired" | "cursor_unknown" | null;
        /** The event history that the ids belong to. Restoring a backup begins a new one. */
        history: string;
      };
    };
  };
  "/changes/diff": {
    /** The changes since a time, block by block, with the old and the new text. */
    get: {
      query: {
        /** ISO 8601, milliseconds, or `visit:<name>`. */
        since: string;
        knowledge_base_id?: number;
        folder_id?: number;
        document_id?: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<DocumentDifference> & {
        /** Milliseconds since 1970-01-01 UTC. */
        since: number;
        /** The end of the period: send it as `since` the next time. */
        until: number;
      };
    };
  };
  "/me/visits": {
    /** Keep a moment under a name, for `since=visit:<name>` of `/changes/diff`. */
    post: {
      body: {
        /** Letters, digits, blanks, . : - and _. */
        name: string;
        /** `until` of the changes that were read; left out, and at most, now. */
        at?: number;
      };
      answer: Single<{
        name: string;
        /** Milliseconds since 1970-01-01 UTC. */
        at: number;
      }>;
    };
  };
  "/documents/{id}/changes": {
    /** The changes of the document's blocks since a cursor. */
    get: {
      path: {
        /** doc_<ULID> */
        id: string;
      };
      query?: {
        /** `cursor` of an answer before, or of one change. */
        after?: string;
      };
      answer: Single<Changes>;
    };
  };
  "/webhooks": {
    /** The webhooks of the workspace. */
    get: {
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<Webhook>;
    };
    /** Have events sent to an address. */
    post: {
      body: {
        /** http or https, without credentials and fragment; port 80, 443 or from 1024. Its host must have public addresses only, unless the operator allows others. */
        url: string;
        /** For people. */
        description?: string;
        /** The types of events to send. */
        event_types?: readonly ("document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided")[];
        knowledge_base_id?: number | null;
        enabled?: boolean;
        /** `standard` (default): `{type, timestamp, data}`. The others are messages of these chat programs: a sentence with the page's title, which can neither mention anybody nor make links, and a link to the page. */
        format?: "standard" | "slack" | "teams" | "discord";
      };
      answer: Single<WebhookWithSecret>;
    };
  };
  "/webhooks/{id}": {
    /** One webhook, and how it fares. */
    get: {
      path: {
        id: string;
      };
      answer: Single<Webhook>;
    };
    /** Change, pause or take up a webhook. */
    patch: {
      path: {
        id: string;
      };
      ifMatch?: string;
      body: {
        /** http or https, without credentials and fragment; port 80, 443 or from 1024. Its host must have public addresses only, unless the operator allows others. */
        url?: string;
        /** For people. */
        description?: string;
        /** The types of events to send. */
        event_types?: readonly ("document.created" | "document.metadata.updated" | "document.content.updated" | "document.deleted" | "comment.created" | "comment.updated" | "comment.resolved" | "comment.deleted" | "suggestion.created" | "suggestion.decided")[];
        knowledge_base_id?: number | null;
        /** `standard` (default): `{type, timestamp, data}`. The others are messages of these chat programs: a sentence with the page's title, which can neither mention anybody nor make links, and a link to the page. */
        format?: "standard" | "slack" | "teams" | "discord";
        /** `true` also takes up again what the server disabled; it goes on where it stopped. */
        enabled?: boolean;
      };
      answer: Single<Webhook>;
    };
    /** Stop sending, and forget the deliveries. */
    delete: {
      path: {
        id: string;
      };
      ifMatch?: string;
      answer: Single<{
        id: string;
        deleted: true;
      }>;
    };
  };
  "/webhooks/{id}/rotate-secret": {
    /** Give a webhook a new secret. */
    post: {
      path: {
        id: string;
      };
      body?: {
        /** How long the secret before signs too. */
        grace_seconds?: number;
      };
      answer: Single<WebhookWithSecret>;
    };
  };
  "/webhooks/{id}/deliveries": {
    /** Past and pending deliveries, newest first. */
    get: {
      path: {
        id: string;
      };
      query?: {
        status?: "pending" | "succeeded" | "failed";
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<WebhookDelivery>;
    };
  };
  "/webhooks/{id}/deliveries/{deliveryId}": {
    /** One delivery, with the body that is sent. */
    get: {
      path: {
        id: string;
        deliveryId: string;
      };
      answer: Single<WebhookDeliveryWithPayload>;
    };
  };
  "/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
    /** Send a delivery once more. */
    post: {
      path: {
        id: string;
        deliveryId: string;
      };
      answer: Single<WebhookDelivery>;
    };
  };
  "/webhooks/{id}/test": {
    /** Send a test message. */
    post: {
      path: {
        id: string;
      };
      answer: Single<WebhookDelivery>;
    };
  };
  "/audit": {
    /** The audit log of the workspace, newest first. For owners. */
    get: {
      query?: {
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
        /** Only what this person did. */
        user_id?: string;
        /** Only what was done with this token. */
        token_id?: string;
        /** Only this operation. */
        action?: string;
        /** Not earlier than this. ISO 8601 or milliseconds. */
        since?: string;
        /** Earlier than this. ISO 8601 or milliseconds. */
        until?: string;
        /** Only what programs did that act for a language model. */
        agent?: boolean;
        /** `jsonl`: all of them, the oldest first, one JSON object a line. So does `Accept: application/x-ndjson`. */
        format?: "json" | "jsonl";
      };
      answer: List<AuditEntry>;
    };
  };
  "/attachments/{id}/text": {
    /** The text of a file, page by page. */
    get: {
      path: {
        /** att_<ULID> */
        id: string;
      };
      query?: {
        /** The page to begin with, from 1. */
        page?: number;
        /** As for reading a document. */
        max_tokens?: number;
      };
      answer: Single<FileText>;
    };
  };
  "/retrieval": {
    /** Retrieve passages, as Dify's external knowledge API asks for them. */
    post: {
      body: {
        /** The id of a knowledge base, such as `7` or `svc://kb/7`; `all` is everything the token sees. */
        knowledge_id: string;
        /** The first 512 characters count. */
        query: string;
        retrieval_setting: {
          /** At most 100 are returned. */
          top_k: number;
          score_threshold?: number | null;
        } & Record<string, unknown>;
        metadata_condition?: {
          logical_operator?: "and" | "or";
          conditions?: readonly ({
            /** A member of the metadata; of several the first that the page has. */
            name: string | readonly string[];
            comparison_operator: "contains" | "not contains" | "start with" | "end with" | "is" | "is not" | "in" | "not in" | "empty" | "not empty" | "=" | "≠" | ">" | "<" | "≥" | "≤" | "before" | "after";
            value?: string | number | readonly string[] | null;
          })[] | null;
        } | null;
      } & Record<string, unknown>;
      answer: {
        records: RetrievalRecord[];
        request_id: string;
      };
    };
  };
  "/search/v2": {
    /** Find blocks and titles, with proof of freshness. */
    get: {
      query: {
        /** Words, `"a phrase"`, `prefix*`, `-not`; everything else is text. At most 512 characters and 32 terms. */
        q: string;
        /** Best first (default), or every hit exactly once in the order of the index. */
        mode?: "topk" | "exhaustive";
        /** `best` (default with `topk`): a hit has at least one of the words, in any form; quoted words only as written. Phrases, prefixes and exclusions stay conditions. `all` (default with `exhaustive`): all words as written in one block or in the title. */
        match?: "best" | "all";
        /** Documents with their best three hits instead of hits. With `match=best` and `mode=topk`. */
        group_by?: "document";
        /** `comments`: comments that have all the words in them, the newest first, without regard to `mode`. */
        in?: "documents" | "comments";
        /** `document` (default): pages. `file`: the text and names of files. `source`: sources; there are none yet. `all`: everything; with `topk` by score, with `exhaustive` documents first. */
        type?: "document" | "file" | "source" | "all";
        knowledge_base_id?: number;
        /** That folder and the folders below it. */
        folder_id?: number;
        /** Only this document. */
        document_id?: string;
        document_type?: "document" | "spreadsheet";
        /** Another name for `match=best`. */
        partial?: boolean;
        /** ISO 8601 or milliseconds; documents changed not earlier than this. Without a zone it is UTC. */
        updated_since?: string;
        /** Id of a person: documents that they made or changed last. */
        author?: string;
        /** Documents with this tag, as `property.tags` does. */
        tag?: string;
        /** A language tag: versions in that language. `all`: everything. Absent: ordinary and source-language documents. */
        locale?: string;
        /** The whole block of each hit as Markdown, in `block`. */
        include_block?: boolean;
        /** Each document's stored summary, or else its first paragraph. */
        include_summary?: boolean;
        /** 20 by default; with `group_by=document` 10. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
        /** `property.<name>=<value>`, such as `property.status=done`: only documents whose property has that value as text, or a list with that member. At most 8. */
        [name: `property.${string}`]: string;
      };
      answer: List<SearchHit> & {
        hits: SearchHitCounts;
        projection: SearchProjection;
      };
    };
  };
  "/search": {
    /** Find blocks: ids and excerpts only. */
    get: {
      query: {
        /** Words, `"a phrase"`, `prefix*`, `-not`; everything else is text. At most 512 characters and 32 terms. */
        q: string;
        /** Items per page. */
        limit?: number;
        /** `next_cursor` of the page before. */
        cursor?: string;
      };
      answer: List<SimpleSearchHit>;
    };
  };
  "/ask": {
    /** Answer a question with passages of the pages. */
    post: {
      body: {
        question: string;
        knowledge_base_ids?: readonly number[];
        /** As in search. */
        locale?: string;
        /** 5 by default. */
        max_citations?: number;
      };
      answer: Single<AskAnswer>;
    };
  };
}
