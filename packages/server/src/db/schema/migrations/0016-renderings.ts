import type { Migration } from "../migration.ts";

/** Segments keep their Markdown and HTML. Rows that are there stay as they are and are rendered when they are read. */
export const renderings: Migration = async ({ schema }) => {
  for (const column of ["markdown", "html"] as const)
    await schema.alterTable("segments").addColumn(column, "text").execute();
  await schema.alterTable("segments").addColumn("rules", "integer").execute();
};
