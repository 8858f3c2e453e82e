import type { Migration } from "../../migration.ts";

export const live: Migration = async (db, types) => {
  const { schema } = db;
  await schema
    .createTable("live_documents")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("epoch", "text", (c) => c.notNull())
    .addColumn("encoding", types.integer, (c) => c.notNull())
    .addColumn("state", types.bytes, (c) => c.notNull())
    .addColumn("state_seq", "bigint", (c) => c.notNull())
    .addColumn("last_seq", "bigint", (c) => c.notNull())
    .addColumn("bytes_since", "bigint", (c) => c.notNull())
    .addColumn("folded_seq", "bigint", (c) => c.notNull())
    .addColumn("folded_version", "text", (c) => c.notNull())
    .addColumn("next_client", "bigint", (c) => c.notNull())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("holder_until", "bigint", (c) => c.notNull())
    .addColumn("unfolded_since", "bigint")
    .addColumn("session_edit_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("live_documents_key", ["workspace_id", "document_id"])
    .execute();
  await schema.createIndex("live_documents_unfolded").on("live_documents").column("unfolded_since").execute();
  await schema.createIndex("live_documents_used").on("live_documents").column("used_at").execute();

  await schema
    .createTable("live_updates")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("epoch", "text", (c) => c.notNull())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("payload", types.bytes, (c) => c.notNull())
    .addColumn("client", "bigint", (c) => c.notNull())
    .addColumn("connection", "text", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("place", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("live_updates_key", ["workspace_id", "document_id", "epoch", "seq"])
    .execute();

  await schema
    .createTable("live_people")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("connection", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("place", "text", (c) => c.notNull())
    .addColumn("since", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("live_people_key", ["workspace_id", "document_id", "connection"])
    .execute();
  await schema.createIndex("live_people_age").on("live_people").column("expires_at").execute();

  await schema
    .createTable("live_epochs")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("epoch", "text", (c) => c.notNull())
    .addColumn("state_vector", types.bytes, (c) => c.notNull())
    .addColumn("ended_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("live_epochs_key", ["workspace_id", "document_id", "epoch"])
    .execute();
  await schema.createIndex("live_epochs_age").on("live_epochs").column("ended_at").execute();

  await schema
    .createTable("restore_points")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("packed", types.bytes, (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.defaultTo("session").notNull())
    .addPrimaryKeyConstraint("restore_points_key", ["workspace_id", "document_id", "id"])
    .execute();
  await schema.createIndex("restore_points_age").on("restore_points").column("created_at").execute();

  await recentStates(db, types);
};

/** Creates the table of the blocks as API readers could last see them. */
export const recentStates: Migration = async ({ schema }, types) => {
  await schema
    .createTable("recent_states")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("revision", "bigint", (c) => c.notNull())
    .addColumn("block_id", "text", (c) => c.notNull())
    .addColumn("block", "text")
    .addColumn("is_typed", types.integer, (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("recent_states_key", ["workspace_id", "document_id", "revision", "block_id"])
    .execute();
  await schema.createIndex("recent_states_age").on("recent_states").column("created_at").execute();
};
