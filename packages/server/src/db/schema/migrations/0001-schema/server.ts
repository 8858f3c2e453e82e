import type { Migration } from "../../migration.ts";

export const server: Migration = async ({ schema }) => {
  await schema
    .createTable("server_state")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();

  await schema
    .createTable("idempotency_keys")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("token_id", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .addColumn("headers", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_keys_pk", ["workspace_id", "token_id", "key"])
    .execute();
  await schema.createIndex("idempotency_keys_age").on("idempotency_keys").column("created_at").execute();

  await schema
    .createTable("rate_windows")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("window_start", "bigint", (c) => c.notNull())
    .addColumn("used", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("rate_windows_pk", ["subject", "window_start"])
    .execute();
  await schema.createIndex("rate_windows_age").on("rate_windows").column("window_start").execute();

  await schema
    .createTable("processes")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("beat", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("leases")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("process_id", "text", (c) => c.notNull().references("processes.id").onDelete("cascade"))
    .execute();
  await schema.createIndex("leases_process").on("leases").column("process_id").execute();
};
