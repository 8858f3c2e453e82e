import { sql } from "kysely";
import type { Migration } from "../../migration.ts";

export const documents: Migration = async (db, types) => {
  const { schema } = db;
  await schema
    .createTable("workspace_counters")
    .addColumn("workspace_id", "text", (c) => c.primaryKey().references("workspaces.id").onDelete("cascade"))
    .addColumn("knowledge_bases", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("folders", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("documents", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("attachment_bytes", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("last_event_id", "bigint", (c) => c.defaultTo(0).notNull())
    .execute();

  await schema
    .createTable("knowledge_bases")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("confirm_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("document_count", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("folder_count", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("members_may_comment", "integer", (c) => c.defaultTo(1).notNull())
    .addColumn("default_role", "text")
    .execute();
  await schema.createIndex("knowledge_bases_workspace").on("knowledge_bases").columns(["workspace_id", "id"]).execute();

  await schema
    .createTable("folders")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint", (c) => c.notNull())
    .addColumn("parent_id", "bigint")
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createIndex("folders_place")
    .on("folders")
    .columns(["workspace_id", "knowledge_base_id", "parent_id"])
    .execute();
  await schema.createIndex("folders_parent").on("folders").columns(["workspace_id", "parent_id"]).execute();

  await schema
    .createTable("documents")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint", (c) => c.notNull())
    .addColumn("folder_id", "bigint")
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("title_key", "text", (c) => c.notNull())
    .addColumn("document_type", "text", (c) => c.notNull())
    .addColumn("heading_numbered", "integer", (c) => c.notNull())
    .addColumn("background_color", "text")
    .addColumn("collapsed_block_ids", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("character_count", "bigint", (c) => c.notNull())
    .addColumn("block_count", "bigint", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("document_set_id", "text")
    .addColumn("locale", "text")
    .addColumn("variant_role", "text")
    .addColumn("workflow_status", "text")
    .addColumn("translated_from_document_id", "text")
    .addColumn("translated_from_version", "text")
    .addColumn("properties", "text", (c) => c.defaultTo("{}").notNull())
    .addColumn("front_matter", "text", (c) => c.defaultTo("").notNull())
    .addColumn("is_template", "integer", (c) => c.defaultTo(0).notNull())
    .addColumn("updated_by", "text")
    .addColumn("file_name", "text")
    .addPrimaryKeyConstraint("documents_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("documents_place")
    .on("documents")
    .columns(["workspace_id", "knowledge_base_id", "folder_id", "id"])
    .execute();
  await schema.createIndex("documents_folder").on("documents").columns(["workspace_id", "folder_id", "id"]).execute();
  await schema.createIndex("documents_age").on("documents").columns(["workspace_id", "updated_at", "id"]).execute();
  await schema
    .createIndex("documents_set")
    .on("documents")
    .columns(["workspace_id", "document_set_id"])
    .where("document_set_id", "is not", null)
    .execute();
  await schema
    .createIndex("documents_knowledge_base")
    .on("documents")
    .columns(["workspace_id", "knowledge_base_id", "id"])
    .execute();
  await schema.createIndex("documents_title").on("documents").columns(["workspace_id", "title_key"]).execute();
  await schema
    .createIndex("documents_targets")
    .on("documents")
    .columns(["workspace_id", "id"])
    .where(sql.ref("variant_role"), "=", sql.lit("target"))
    .execute();

  await schema
    .createTable("trash")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("item_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("knowledge_base_id", "bigint", (c) => c.notNull())
    .addColumn("document_count", "bigint", (c) => c.notNull())
    .addColumn("deleted_by", "text", (c) => c.notNull())
    .addColumn("deleted_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("ended_links", "integer", (c) => c.defaultTo(0).notNull())
    .addPrimaryKeyConstraint("trash_pk", ["workspace_id", "id"])
    .execute();
  await schema.createIndex("trash_age").on("trash").column("expires_at").execute();

  await schema
    .createTable("trash_items")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("trash_id", "text", (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .addColumn("packed", types.bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("trash_items_pk", ["workspace_id", "trash_id", "position"])
    .execute();

  await schema
    .createTable("purges")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("purges_pk", ["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("attachments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("file_name", "text", (c) => c.notNull())
    .addColumn("content_type", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("width", "bigint")
    .addColumn("height", "bigint")
    .addColumn("blob_key", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("removed_from", "bigint")
    .addColumn("deleted_by", "text")
    .addColumn("deleted_version", "text")
    .addPrimaryKeyConstraint("attachments_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("attachments_document")
    .on("attachments")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
  await schema.createIndex("attachments_blob").on("attachments").column("blob_key").execute();
  await schema.createIndex("attachments_age").on("attachments").column("expires_at").execute();

  await schema
    .createTable("document_properties")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("value", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("document_properties_pk", ["workspace_id", "name", "value", "document_id"])
    .execute();
  await schema
    .createIndex("document_properties_document")
    .on("document_properties")
    .columns(["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("public_shares")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("nonce", "text", (c) => c.notNull())
    .addColumn("document_id", "text")
    .addColumn("folder_id", "bigint")
    .addColumn("token_hash", "text", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("expires_at", "bigint")
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("public_shares_pk", ["workspace_id", "nonce"])
    .execute();
  await schema.createIndex("public_shares_token").unique().on("public_shares").column("token_hash").execute();
  await schema
    .createIndex("public_shares_document")
    .unique()
    .on("public_shares")
    .columns(["workspace_id", "document_id"])
    .execute();
  await schema
    .createIndex("public_shares_folder")
    .unique()
    .on("public_shares")
    .columns(["workspace_id", "folder_id"])
    .execute();
  await schema.createIndex("public_shares_expiry").on("public_shares").column("expires_at").execute();

  await remotePictures(db, types);
};

/** Creates the table of pictures that the server fetched from other hosts. */
export const remotePictures: Migration = async ({ schema }) => {
  await schema
    .createTable("remote_pictures")
    .addColumn("address_hash", "text", (c) => c.primaryKey())
    .addColumn("content_type", "text")
    .addColumn("blob_key", "text")
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("remote_pictures_blob").on("remote_pictures").column("blob_key").execute();
  await schema.createIndex("remote_pictures_use").on("remote_pictures").column("used_at").execute();
};
