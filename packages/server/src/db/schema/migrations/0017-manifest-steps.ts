import type { Migration } from "../migration.ts";

/** A body's row may say what has become of its manifest, which is then not written anew. Those that are there are whole. */
export const manifestSteps: Migration = async ({ schema }) => {
  await schema
    .alterTable("bodies")
    .addColumn("steps", "text", (c) => c.notNull().defaultTo(""))
    .execute();
};
