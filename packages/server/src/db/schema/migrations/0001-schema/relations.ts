import type { Migration } from "../../migration.ts";

export const relations: Migration = async ({ schema }) => {
  await schema
    .createTable("inline_relations")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("source_block_id", "text", (c) => c.notNull())
    .addColumn("top_block_id", "text", (c) => c.notNull())
    .addColumn("target_uri", "text", (c) => c.notNull())
    .addColumn("target_document_id", "text")
    .addColumn("target_block_id", "text")
    .addColumn("via", "text", (c) => c.notNull())
    .addColumn("anchor_text", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("inline_relations_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("inline_relations_source")
    .on("inline_relations")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
  await schema
    .createIndex("inline_relations_block")
    .on("inline_relations")
    .columns(["workspace_id", "document_id", "top_block_id"])
    .execute();
  await schema
    .createIndex("inline_relations_target")
    .on("inline_relations")
    .columns(["workspace_id", "target_document_id", "id"])
    .where("target_document_id", "is not", null)
    .execute();

  await schema
    .createTable("relation_views")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("relation_views_pk", ["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("manual_relations")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("source_block_id", "text", (c) => c.notNull())
    .addColumn("source_version", "text", (c) => c.notNull())
    .addColumn("predicate", "text", (c) => c.notNull())
    .addColumn("target_uri", "text", (c) => c.notNull())
    .addColumn("target_document_id", "text", (c) => c.notNull())
    .addColumn("target_block_id", "text")
    .addColumn("anchor_text", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("manual_relations_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("manual_relations_source")
    .on("manual_relations")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
  await schema
    .createIndex("manual_relations_source_predicate")
    .on("manual_relations")
    .columns(["workspace_id", "document_id", "predicate", "id"])
    .execute();
  await schema
    .createIndex("manual_relations_target")
    .on("manual_relations")
    .columns(["workspace_id", "target_document_id", "id"])
    .execute();
  await schema
    .createIndex("manual_relations_target_predicate")
    .on("manual_relations")
    .columns(["workspace_id", "target_document_id", "predicate", "id"])
    .execute();
};
