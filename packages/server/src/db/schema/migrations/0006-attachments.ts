import type { Migration } from "../migration.ts";

export const attachments: Migration = async ({ schema }) => {
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
    .addPrimaryKeyConstraint("attachments_pk", ["workspace_id", "id"])
    .execute();
  await schema
    .createIndex("attachments_document")
    .on("attachments")
    .columns(["workspace_id", "document_id", "id"])
    .execute();
  await schema.createIndex("attachments_blob").on("attachments").column("blob_key").execute();
  await schema.createIndex("attachments_age").on("attachments").column("expires_at").execute();
};
