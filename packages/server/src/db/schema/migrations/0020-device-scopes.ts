import type { Migration } from "../migration.ts";

/** A program may ask for single scopes; null is all that its access allows. */
export const deviceScopes: Migration = async ({ schema }) => {
  await schema.alterTable("device_codes").addColumn("scopes", "text").execute();
};
