import type { Migration } from "../migration.ts";

/** What a hit shows, beside the index: so that an answer reads no bodies. Null where an older version has written. */
export const searchTexts: Migration = async ({ schema }) => {
  await schema.alterTable("search_blocks").addColumn("text", "text").execute();
  await schema.alterTable("search_blocks").addColumn("section", "text").execute();
  await schema.alterTable("search_documents").addColumn("outline", "text").execute();
  await schema.alterTable("search_documents").addColumn("outline_version", "text").execute();
};
