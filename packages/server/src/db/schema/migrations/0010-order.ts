import type { Migration } from "../migration.ts";

/** The manual order of siblings, and the index pages of folders. */
export const order: Migration = async ({ schema }) => {
  await schema
    .alterTable("knowledge_bases")
    .addColumn("child_order", "text", (c) => c.defaultTo("name").notNull())
    .execute();
  await schema
    .alterTable("folders")
    .addColumn("child_order", "text", (c) => c.defaultTo("name").notNull())
    .execute();
  await schema.alterTable("folders").addColumn("index_document_id", "text").execute();
  await schema
    .createTable("sibling_places")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("item", "text", (c) => c.notNull())
    .addColumn("parent", "text", (c) => c.notNull())
    .addColumn("place", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("sibling_places_key", ["workspace_id", "item"])
    .execute();
  await schema
    .createIndex("sibling_places_parent")
    .unique()
    .on("sibling_places")
    .columns(["workspace_id", "parent", "place"])
    .execute();
};
