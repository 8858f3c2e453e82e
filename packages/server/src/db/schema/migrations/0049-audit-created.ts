import type { Migration } from "../migration.ts";

/** Which page, folder or other thing a creation has made: its path does not tell. */
export const auditCreated: Migration = async ({ schema }) => {
  await schema.alterTable("audit_log").addColumn("created_id", "text").execute();
};
