import type { Migration } from "../migration.ts";

/** A body that was written whole from Markdown is one row to be sent: its source with the warnings, or its HTML. */
export const wholeBodies: Migration = async (db, types) => {
  for (const column of ["html", "rendered_version"])
    await db.schema.alterTable("body_sources").addColumn(column, "text").execute();
  await types.packQuickly(db, "body_sources", ["source", "html"]);
};
