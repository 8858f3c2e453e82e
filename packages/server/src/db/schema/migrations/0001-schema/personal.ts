import type { Migration } from "../../migration.ts";

export const personal: Migration = async ({ schema }) => {
  await schema
    .createTable("personal_documents")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("viewed_at", "bigint")
    .addColumn("favourite_at", "bigint")
    .addPrimaryKeyConstraint("personal_documents_pk", ["workspace_id", "user_id", "document_id"])
    .execute();
  await schema
    .createIndex("personal_documents_document")
    .on("personal_documents")
    .columns(["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("visits")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("visits_pk", ["workspace_id", "user_id", "name"])
    .execute();
};
