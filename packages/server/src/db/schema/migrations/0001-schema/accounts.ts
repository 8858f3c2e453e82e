import { sql } from "kysely";
import type { Migration } from "../../migration.ts";

export const accounts: Migration = async (db, types) => {
  const { schema } = db;
  await schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("password_hash", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("disabled_at", "bigint")
    .addColumn("email_verified_at", "bigint")
    .execute();

  await schema
    .createTable("workspaces")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("rights_version", types.integer, (c) => c.defaultTo(0).notNull())
    .execute();

  await memberships(db, types);

  await schema
    .createTable("tokens")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("access", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .addColumn("last_client", "text")
    .addColumn("knowledge_base_ids", "text")
    .execute();
  await schema.createIndex("tokens_user").on("tokens").columns(["user_id", "workspace_id"]).execute();
  await schema.createIndex("tokens_workspace").on("tokens").columns(["workspace_id", "id"]).execute();

  await schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_agent", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("last_address", "text")
    .addColumn("proven_at", "bigint")
    .execute();
  await schema.createIndex("sessions_user").on("sessions").column("user_id").execute();

  await schema
    .createTable("audit_log")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("token_id", "text")
    .addColumn("client_name", "text")
    .addColumn("client_version", "text")
    .addColumn("agent", "integer", (c) => c.defaultTo(0).notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("path", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .addColumn("request_id", "text", (c) => c.notNull())
    .addColumn("summary", "text")
    .addColumn("created_id", "text")
    .execute();
  await schema.createIndex("audit_log_workspace").on("audit_log").columns(["workspace_id", "id"]).execute();

  await schema
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
    .addColumn("scopes", "text")
    .addColumn("address", "text")
    .execute();
  await schema.createIndex("device_codes_age").on("device_codes").column("expires_at").execute();

  await schema
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
  await schema.createIndex("invitations_workspace").on("invitations").columns(["workspace_id", "id"]).execute();

  await schema
    .createTable("sign_in_addresses")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("address_hash", "text", (c) => c.notNull())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("sign_in_addresses_pk", ["user_id", "address_hash"])
    .execute();

  await schema
    .createTable("password_resets")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("mailed_to", "text")
    .execute();

  await schema
    .createTable("pictures")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("content_type", "text", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("content", types.bytes, (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("email_proofs")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
};

/** Creates the table of the people in each workspace and their roles. */
export const memberships: Migration = async ({ schema }) => {
  await schema
    .createTable("memberships")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull().check(sql`role in ('owner', 'editor', 'viewer', 'guest')`))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("memberships_pk", ["workspace_id", "user_id"])
    .execute();
  await schema.createIndex("memberships_user").on("memberships").column("user_id").execute();
};
