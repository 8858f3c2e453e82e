import type { Migration } from "../../migration.ts";

export const summaries: Migration = async ({ schema }) => {
  await schema
    .createTable("summaries")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("scope", "text", (c) => c.notNull())
    .addColumn("target_id", "text", (c) => c.notNull())
    .addColumn("block_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text")
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("outline", "text", (c) => c.notNull())
    .addColumn("generator", "text", (c) => c.notNull())
    .addColumn("source_version", "text", (c) => c.notNull())
    .addColumn("source_block_ids", "text", (c) => c.notNull())
    .addColumn("source_document_ids", "text", (c) => c.notNull())
    .addColumn("covered", "bigint", (c) => c.notNull())
    .addColumn("total", "bigint", (c) => c.notNull())
    .addColumn("pinned", "integer", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("author_id", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("summaries_pk", ["workspace_id", "scope", "target_id", "block_id"])
    .execute();
  await schema.createIndex("summaries_document").on("summaries").columns(["workspace_id", "document_id"]).execute();
};
