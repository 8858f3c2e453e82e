import { sql } from "kysely";
import type { Migration } from "../migration.ts";

export const documents: Migration = async ({ schema }, types) => {
  await schema
    .createTable("knowledge_bases")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("confirm_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("document_count", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("folder_count", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
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
    .where(sql.ref("document_set_id"), "is not", null)
    .execute();
  await schema
    .createTable("bodies")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("document_type", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("manifest", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("lock", "bigint", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("bodies_pk", ["workspace_id", "document_id"])
    .execute();
  await schema
    .createTable("segments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("added_revision", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("segments_pk", ["workspace_id", "document_id", "hash"])
    .execute();
  await schema
    .createTable("snapshots")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("manifest", "text", (c) => c.notNull())
    .addColumn("dropped", "text", (c) => c.notNull())
    .addColumn("byte_size", "bigint", (c) => c.notNull())
    .addColumn("character_count", "bigint", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("creator_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("snapshots_pk", ["workspace_id", "document_id", "seq"])
    .execute();
  await schema
    .createTable("events")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "bigint", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("document_set_id", "text")
    .addColumn("locale", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("events_pk", ["workspace_id", "id"])
    .execute();
  await schema.createIndex("events_age").on("events").column("created_at").execute();
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
};
