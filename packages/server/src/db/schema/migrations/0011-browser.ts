import type { Migration } from "../migration.ts";

export const browser: Migration = async (schema) => {
  await schema.schema
    .createTable("device_codes")
    .addColumn("device_code_hash", "text", (c) => c.primaryKey())
    .addColumn("user_code_hash", "text", (c) => c.notNull().unique())
    .addColumn("client_name", "text", (c) => c.notNull())
    .addColumn("access", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (c) => c.references("workspaces.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("polled_at", "bigint")
    .execute();
  await schema.schema.createIndex("device_codes_age").on("device_codes").column("expires_at").execute();
  await schema.schema
    .createTable("invitations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("note", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.schema.createIndex("invitations_workspace").on("invitations").columns(["workspace_id", "id"]).execute();
  await schema.schema
    .createTable("attempts")
    .addColumn("subject", "text", (c) => c.primaryKey())
    .addColumn("failures", "bigint", (c) => c.notNull())
    .addColumn("free_at", "bigint", (c) => c.notNull())
    .addColumn("forgotten_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.schema.createIndex("attempts_age").on("attempts").column("forgotten_at").execute();
};
