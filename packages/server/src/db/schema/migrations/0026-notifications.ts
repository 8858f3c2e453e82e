import type { Migration } from "../migration.ts";

export const notifications: Migration = async ({ schema }) => {
  await schema
    .createTable("notifications")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("comment_id", "text")
    .addColumn("suggestion_id", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("excerpt", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("read_at", "bigint")
    .addPrimaryKeyConstraint("notifications_pk", ["workspace_id", "user_id", "id"])
    .execute();
  await schema
    .createIndex("notifications_document")
    .on("notifications")
    .columns(["workspace_id", "document_id"])
    .execute();
  await schema
    .createTable("watches")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("target_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text")
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("watches_pk", ["workspace_id", "kind", "target_id", "user_id"])
    .execute();
};
