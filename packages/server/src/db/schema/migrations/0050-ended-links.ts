import type { Migration } from "../migration.ts";

/** How many public links ended with what lies in the trash: they do not come back with it. */
export const endedLinks: Migration = async ({ schema }) => {
  await schema
    .alterTable("trash")
    .addColumn("ended_links", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
};
