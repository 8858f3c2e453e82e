import type { Migration } from "../migration.ts";

/** How people want to be told, notifications about no document, and events that are for one person. */
export const notificationSettings: Migration = async ({ schema }) => {
  await schema
    .createTable("notification_settings")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("kinds", "text", (c) => c.notNull())
    .addColumn("webhook_url", "text")
    .addColumn("webhook_nonce", "text")
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("notification_settings_pk", ["workspace_id", "user_id"])
    .execute();
  await schema.alterTable("notifications").addColumn("knowledge_base_id", "bigint").execute();
  await schema
    .alterTable("notifications")
    .addColumn("in_page", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await schema
    .alterTable("notifications")
    .addColumn("digest", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex("notifications_digest")
    .on("notifications")
    .columns(["digest", "workspace_id", "user_id"])
    .execute();
  await schema.alterTable("events").addColumn("user_id", "text").execute();
  await schema
    .createTable("watch_positions")
    .addColumn("workspace_id", "text", (c) => c.primaryKey())
    .addColumn("last_event_id", "bigint", (c) => c.notNull())
    .execute();
};
