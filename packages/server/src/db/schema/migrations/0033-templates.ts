import type { Migration } from "../migration.ts";

/** Documents that new ones begin with. */
export const templates: Migration = async ({ schema }) => {
  await schema
    .alterTable("documents")
    .addColumn("is_template", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
};
