import type { Migration } from "../migration.ts";

export const events: Migration = async ({ schema }) => {
  await schema
    .createTable("changes")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("before_version", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("item_count", "bigint", (c) => c.notNull())
    .addColumn("items", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("changes_pk", ["workspace_id", "document_id", "revision"])
    .execute();
  await schema
    .createTable("event_processes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createTable("event_streams")
    .addColumn("token_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("process_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("event_streams_pk", ["token_id", "id"])
    .execute();
  await schema.createIndex("event_streams_process").on("event_streams").column("process_id").execute();
};
