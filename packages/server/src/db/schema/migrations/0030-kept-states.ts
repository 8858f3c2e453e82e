import type { Migration } from "../migration.ts";

/** Why a restore point was made: before an editing session, or because somebody wanted the state kept. */
export const keptStates: Migration = async ({ schema }) => {
  await schema
    .alterTable("restore_points")
    .addColumn("reason", "text", (c) => c.notNull().defaultTo("session"))
    .execute();
};
