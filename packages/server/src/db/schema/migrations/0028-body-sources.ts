import type { Migration } from "../migration.ts";

/** The Markdown that a body was last written from, where the body's own Markdown looks otherwise (bodies/sources.ts). */
export const bodySources: Migration = async ({ schema }) => {
  await schema
    .alterTable("bodies")
    .addColumn("style", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await schema
    .createTable("body_sources")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("body_sources_pk", ["workspace_id", "document_id"])
    .execute();
};
