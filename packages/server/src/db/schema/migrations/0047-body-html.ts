import type { Migration } from "../migration.ts";

/**
 * HTML apart from the source: who reads one of the two would else read through the other. It goes with its body, also
 * when a program of the release before removes that. What such a program has kept is put together until the next write.
 */
export const bodyHtml: Migration = async (db, types) => {
  await db.schema
    .createTable("body_html")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("rules", "integer", (c) => c.notNull())
    .addColumn("html", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("body_html_pk", ["workspace_id", "document_id"])
    .addForeignKeyConstraint(
      "body_html_body",
      ["workspace_id", "document_id"],
      "bodies",
      ["workspace_id", "document_id"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
  await types.packQuickly(db, "body_html", ["html"]);
};
