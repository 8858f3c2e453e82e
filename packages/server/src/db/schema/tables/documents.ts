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
  /** 1 if its viewers may comment and suggest. */
  members_may_comment: Generated<number>;
  /** The role of people without another one here; null: their role in the workspace. */
  default_role: Generated<BaseRole | null>;
  child_order: Generated<ChildOrder>;
  created_at: number;
  updated_at: number;
}

export interface FolderRow {
  id: Generated<number>;
  workspace_id: string;
  knowledge_base_id: number;
  parent_id: number | null;
  name: string;
  child_order: Generated<ChildOrder>;
  /** The page shown when the folder is opened, directly in the folder; they share their name. */
  index_document_id: Generated<string | null>;
  created_at: number;
  updated_at: number;
}

/** The order of the items in a folder or at the top of a knowledge base. */
export type ChildOrder = "name" | "manual";

/** The place of an item in the manual order of its parent. Items without a row come last. */
export interface SiblingPlaceRow {
  workspace_id: string;
  /** A document's id, or `folder:` and a folder's id. */
  item: string;
  /** `folder:` or `kb:` and an id. Outdated when the item was moved to a parent without a manual order. */
  parent: string;
  /** A key that sorts like a fraction; see domain/library/order. */
  place: string;
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
  /** The name of its file without the extension, if it differs from the title. */
  file_name: string | null;
  document_type: DocumentType;
  heading_numbered: number;
  background_color: string | null;
  /** JSON array of block ids. */
  collapsed_block_ids: string;
  /** 1: offered as a template for new documents. */
  is_template: number;
  version: string;
  character_count: number;
  block_count: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  /** The last person to change text or metadata, edits in the browser included; null if it was not recorded. */
  updated_by: string | null;
  document_set_id: string | null;
  locale: string | null;
  variant_role: "source" | "target" | null;
  workflow_status: "draft" | "in_review" | "published" | "archived" | null;
  translated_from_document_id: string | null;
  translated_from_version: string | null;
  /** JSON object. */
  properties: JsonText<Properties>;
  /** The YAML lines that the properties were read from, fences included; empty if there are none. */
  front_matter: string;
}

/** The rows by which filters find documents: one for each property value, and one for each item of a list. */
export interface DocumentPropertyRow {
  workspace_id: string;
  document_id: string;
  name: string;
  /** The text of the value, or a hash of a long one (domain/library/properties/queries.ts). */
  value: string;
}

export interface AttachmentRow {
  workspace_id: string;
  id: string;
  document_id: string;
  file_name: string;
  /** Detected from the file's first bytes, never taken from the sender. */
  content_type: string;
  size: number;
  /** Lower-case hex. */
  sha256: string;
  width: number | null;
  height: number | null;
  /** The key of the stored file. Copies of a document's attachments share it. */
  blob_key: string;
  created_by: string;
  created_at: number;
  /** Null while the attachment exists. Once deleted, the time after which the file is removed; 0 means at once. */
  expires_at: number | null;
  /** The knowledge base that it, or its document, was deleted from. */
  removed_from: number | null;
  /** The user who deleted the attachment itself; null if it was deleted with its document. */
  deleted_by: string | null;
  /** The version of the body after a forced deletion. */
  deleted_version: string | null;
  /** Whether its text is found by search; null while the file waits to be read. */
  text_status: "ready" | "none" | "failed" | null;
}

/** An attachment without the fields that its storage sets. */
export type NewAttachmentRow = Omit<AttachmentRow, "text_status">;

/** A public link to a document, or to a folder with everything in it. */
export interface ShareRow {
  workspace_id: string;
  /** The link's token is derived from this and the server's secret, so it can be shown again without being stored. */
  nonce: string;
  document_id: string | null;
  /** Set if `document_id` is null. */
  folder_id: number | null;
  /** The hash by which a visitor's token is found. */
  token_hash: string;
  /** Null: no password needed. */
  password_hash: string | null;
  /** The time from which the link no longer works; null: never. */
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
  /** The number of public links that the deletion ended. */
  ended_links: number;
  deleted_by: string;
  deleted_at: number;
  expires_at: number;
}
