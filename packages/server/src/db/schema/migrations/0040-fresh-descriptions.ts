import type { Migration } from "../migration.ts";

/** Until when the description of a program need not be fetched again, as its site says. */
export const freshDescriptions: Migration = async ({ schema }) => {
  await schema.alterTable("oauth_clients").addColumn("fresh_until", "bigint").execute();
};
