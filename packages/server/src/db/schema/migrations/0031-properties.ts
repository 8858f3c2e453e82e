import type { Migration } from "../migration.ts";

/** Front matter of documents, and its values for filters and counts. */
export const properties: Migration = async ({ schema }) => {
  await schema
    .alterTable("documents")
    .addColumn("properties", "text", (c) => c.notNull().defaultTo("{}"))
    .execute();
  await schema
    .alterTable("documents")
    .addColumn("front_matter", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await schema
    .createTable("document_properties")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("value", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("document_properties_pk", ["workspace_id", "name", "value", "document_id"])
    .execute();
  await schema
    .createIndex("document_properties_document")
    .on("document_properties")
    .columns(["workspace_id", "document_id"])
    .execute();
};
