import type { Migration } from "../migration.ts";

/** Tells readers whether what they remember of an index is what it is now. */
export const searchStamp: Migration = async ({ schema }) => {
  await schema
    .alterTable("search_counters")
    .addColumn("stamp", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
};
