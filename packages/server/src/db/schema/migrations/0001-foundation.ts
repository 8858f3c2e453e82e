import { sql } from "kysely";
import type { Migration } from "../migration.ts";

export const foundation: Migration = async (schema, types) => {
  await schema.schema
    .createTable("server_state")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
  await schema.schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("password_hash", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.schema
    .createTable("workspaces")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.schema
    .createTable("memberships")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull().check(sql`role in ('owner', 'editor', 'viewer')`))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("memberships_pk", ["workspace_id", "user_id"])
    .execute();
  await schema.schema.createIndex("memberships_user").on("memberships").column("user_id").execute();
  await schema.schema
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
    .execute();
  await schema.schema.createIndex("tokens_user").on("tokens").columns(["user_id", "workspace_id"]).execute();
  await schema.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_agent", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await schema.schema
    .createTable("workspace_counters")
    .addColumn("workspace_id", "text", (c) => c.primaryKey().references("workspaces.id").onDelete("cascade"))
    .addColumn("knowledge_bases", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("folders", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("documents", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("attachment_bytes", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("last_event_id", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.schema
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
  await schema.schema.createIndex("idempotency_keys_age").on("idempotency_keys").column("created_at").execute();
  await schema.schema
    .createTable("translation_usage")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("characters", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("translation_usage_pk", ["workspace_id", "day"])
    .execute();
  await schema.schema
    .createTable("rate_windows")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("window_start", "bigint", (c) => c.notNull())
    .addColumn("used", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("rate_windows_pk", ["subject", "window_start"])
    .execute();
  await schema.schema.createIndex("rate_windows_age").on("rate_windows").column("window_start").execute();
  await schema.schema
    .createTable("audit_log")
    .addColumn("id", types.integer, types.identity)
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("user_id", "text")
    .addColumn("token_id", "text")
    .addColumn("client_name", "text")
    .addColumn("client_version", "text")
    .addColumn("agent", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("path", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .addColumn("request_id", "text", (c) => c.notNull())
    .execute();
  await schema.schema.createIndex("audit_log_workspace").on("audit_log").columns(["workspace_id", "id"]).execute();
};
