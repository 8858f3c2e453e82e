import type { Properties } from "@svc/document/properties/read-properties";
import type { Generated } from "kysely";
import type { JsonText } from "../json-text.ts";
import type { BaseRole } from "./rights.ts";

export interface KnowledgeBaseRow {
  id: Generated<number>;
  workspace_id: string;
  confirm_id: string;
  name: string;
  document_count: number;
  folder_count: number;
  /** 1 when its viewers may comment and suggest. */
  members_may_comment: Generated<number>;
  /** The role of whoever has no other one here; null: their role in the workspace. */
  default_role: Generated<BaseRole | null>;
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
  /** 1: offered as a beginning for new documents. */
  is_template: number;
  version: string;
  character_count: number;
  block_count: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  /** Who changed text or metadata last, edits in the browser included; null where that was not noted. */
  updated_by: string | null;
  document_set_id: string | null;
  locale: string | null;
  variant_role: "source" | "target" | null;
  workflow_status: "draft" | "in_review" | "published" | "archived" | null;
  translated_from_document_id: string | null;
  translated_from_version: string | null;
  /** JSON object. */
  properties: JsonText<Properties>;
  /** The lines of YAML that the properties were read from, fences included; empty where there are none. */
  front_matter: string;
}

/** What filters find a document's properties by: a row for each value, for a list one for each member. */
export interface DocumentPropertyRow {
  workspace_id: string;
  document_id: string;
  name: string;
  /** The text of the value, or of a long one its hash (resources/properties/queries.ts). */
  value: string;
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
  /** The knowledge base that it, or its document, was deleted from. */
  removed_from: number | null;
  /** The user who deleted it by itself; null for one that went with its document. */
  deleted_by: string | null;
  /** The version of the body that a deletion by force left. */
  deleted_version: string | null;
}

/** A public link, of a document or of a folder with all that is in it. */
export interface ShareRow {
  workspace_id: string;
  /** The link's token follows from this and the server's secret, so that it can be shown again and stands nowhere. */
  nonce: string;
  document_id: string | null;
  /** Set when `document_id` is null. */
  folder_id: number | null;
  /** What a visitor's token is looked up by. */
  token_hash: string;
  /** Null: the link alone opens it. */
  password_hash: string | null;
  /** From then on it opens nothing; null: never. */
  expires_at: number | null;
  created_by: string;
  created_at: number;
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
  /** Public links that ended with it. */
  ended_links: number;
  deleted_by: string;
  deleted_at: number;
  expires_at: number;
}
