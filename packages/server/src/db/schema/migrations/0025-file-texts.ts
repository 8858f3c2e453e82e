import type { Migration } from "../migration.ts";

/** The text of files. Attachments that an older release adds have no status, and are read like others. */
export const fileTexts: Migration = async ({ schema }) => {
  await schema.alterTable("attachments").addColumn("text_status", "text").execute();
  await schema.createIndex("attachments_text").on("attachments").columns(["text_status", "expires_at"]).execute();
  await schema.createIndex("attachments_content").on("attachments").columns(["workspace_id", "sha256"]).execute();
  await schema
    .createTable("file_texts")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("attempts", "bigint", (c) => c.notNull())
    .addColumn("status", "text")
    .addColumn("reason", "text")
    .addColumn("pages", "bigint", (c) => c.notNull())
    .addColumn("truncated", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("file_texts_key", ["workspace_id", "sha256"])
    .execute();
  await schema
    .createTable("file_text_pages")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("page", "bigint", (c) => c.notNull())
    .addColumn("label", "text")
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("file_text_pages_key", ["workspace_id", "sha256", "page"])
    .execute();
};
