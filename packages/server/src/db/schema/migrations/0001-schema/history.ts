import type { Migration } from "../../migration.ts";

/** The states of bodies over time, and the segments that only they use. */
export const history: Migration = async ({ schema }) => {
  await schema
    .createTable("history_states")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("place", "bigint", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("step", "text")
    .addColumn("writers", "text", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint", (c) => c.notNull())
    .addColumn("name", "text")
    .addColumn("byte_size", "bigint", (c) => c.notNull())
    .addColumn("due_at", "bigint")
    .addPrimaryKeyConstraint("history_states_key", ["workspace_id", "document_id", "id"])
    .execute();
  await schema
    .createIndex("history_states_place")
    .on("history_states")
    .columns(["workspace_id", "document_id", "place"])
    .execute();
  await schema.createIndex("history_states_due").on("history_states").column("due_at").execute();
  await schema
    .createTable("history_segments")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("place", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("history_segments_key", ["workspace_id", "document_id", "hash"])
    .execute();
};
