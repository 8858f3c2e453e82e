import type { Migration } from "../migration.ts";

/** A body that is sent as it was written need not be read for what its Markdown could not say. */
export const sourceWarnings: Migration = async ({ schema }) => {
  await schema.alterTable("body_sources").addColumn("warnings", "text").execute();
  await schema.alterTable("body_sources").addColumn("rules", "integer").execute();
};
