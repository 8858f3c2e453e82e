import type { Migration } from "../migration.ts";

/** The form in which a webhook's messages are sent; null for the standard one. */
export const webhookFormats: Migration = async ({ schema }) => {
  await schema.alterTable("webhooks").addColumn("format", "text").execute();
};
