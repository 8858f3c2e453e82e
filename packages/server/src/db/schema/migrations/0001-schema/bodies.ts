import type { Migration } from "../../migration.ts";

export const bodies: Migration = async (db, types) => {
  const { schema } = db;
  await schema
    .createTable("bodies")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("document_type", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("manifest", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("lock", "bigint", (c) => c.defaultTo(0).notNull())
    .addColumn("steps", "text", (c) => c.defaultTo("").notNull())
    .addColumn("live_revisions", types.integer, (c) => c.defaultTo(0).notNull())
    .addColumn("style", "text", (c) => c.defaultTo("").notNull())
    .addPrimaryKeyConstraint("bodies_pk", ["workspace_id", "document_id"])
    .execute();

  await schema
    .createTable("segments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("added_revision", "bigint", (c) => c.notNull())
    .addColumn("markdown", "text")
    .addColumn("html", "text")
    .addColumn("rules", "integer")
    .addColumn("authors", "text")
    .addPrimaryKeyConstraint("segments_pk", ["workspace_id", "document_id", "hash"])
    .execute();
  await types.packQuickly(db, "segments", ["content", "markdown", "html"]);

  await schema
    .createTable("snapshots")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("manifest", "text", (c) => c.notNull())
    .addColumn("dropped", "text", (c) => c.notNull())
    .addColumn("byte_size", "bigint", (c) => c.notNull())
    .addColumn("character_count", "bigint", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("creator_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("suggested_by", "text")
    .addColumn("client", "text")
    .addPrimaryKeyConstraint("snapshots_pk", ["workspace_id", "document_id", "seq"])
    .execute();

  await schema
    .createTable("body_sources")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("warnings", "text")
    .addColumn("rules", "integer")
    .addColumn("html", "text")
    .addColumn("rendered_version", "text")
    .addPrimaryKeyConstraint("body_sources_pk", ["workspace_id", "document_id"])
    .execute();
  await types.packQuickly(db, "body_sources", ["source", "html"]);

  await schema
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
      (c) => c.onDelete("cascade"),
    )
    .execute();
  await types.packQuickly(db, "body_html", ["html"]);

  await fileAddresses(db, types);
};

/** Creates the table of the addresses that files have in the Markdown of their document. */
export const fileAddresses: Migration = async ({ schema }) => {
  await schema
    .createTable("file_addresses")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("addresses", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("file_addresses_pk", ["workspace_id", "document_id"])
    .execute();
};
