import { type QueryExecutorProvider, sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** HTML apart from the source: who reads one of the two would else read through the other. */
export const bodyHtml: Migration = async (db, types) => {
  await db.schema
    .createTable("body_html")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("rules", "integer", (c) => c.notNull())
    .addColumn("html", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("body_html_pk", ["workspace_id", "document_id"])
    .execute();
  await types.packQuickly(db, "body_html", ["html"]);
  await copyHtml(db);
};

/** What the release before kept with the source. */
export const copyHtml = (db: QueryExecutorProvider) =>
  sql`insert into body_html (workspace_id, document_id, version, rules, html)
    select workspace_id, document_id, rendered_version, rules, html from body_sources
    where html is not null and rules is not null and rendered_version is not null`.execute(db);
