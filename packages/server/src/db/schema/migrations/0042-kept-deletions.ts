import type { Migration } from "../migration.ts";

/** What was deleted by itself, comments and attachments, for as long as the deletion can be taken back. */
export const keptDeletions: Migration = async ({ schema }) => {
  await schema
    .createTable("deleted_comments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("thread_id", "text", (c) => c.notNull())
    .addColumn("anchor_block_id", "text")
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("deleted_by", "text", (c) => c.notNull())
    .addColumn("deleted_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("deleted_comments_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("deleted_comments_document")
    .on("deleted_comments")
    .columns(["workspace_id", "document_id"])
    .execute();
  await schema.createIndex("deleted_comments_age").on("deleted_comments").columns(["deleted_at"]).execute();
  await schema.alterTable("attachments").addColumn("deleted_by", "text").execute();
  await schema.alterTable("attachments").addColumn("deleted_version", "text").execute();
};
