import type { Migration } from "../migration.ts";

/** The program that made a change, beside the person. Changes of before stay without one. */
export const snapshotClients: Migration = async ({ schema }) => {
  await schema.alterTable("snapshots").addColumn("client", "text").execute();
};
