import type { Migration } from "../../migration.ts";

export const oauth: Migration = async ({ schema }) => {
  await schema
    .createTable("oauth_clients")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("uri", "text")
    .addColumn("redirect_uris", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .addColumn("fetched_at", "bigint")
    .addColumn("fresh_until", "bigint")
    .execute();
  await schema.createIndex("oauth_clients_age").on("oauth_clients").column("created_at").execute();

  await schema
    .createTable("oauth_grants")
    .addColumn("token_id", "text", (c) => c.primaryKey().references("tokens.id").onDelete("cascade"))
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("client_uri", "text")
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("resource", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("oauth_codes")
    .addColumn("code_hash", "text", (c) => c.primaryKey())
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("client_name", "text", (c) => c.notNull())
    .addColumn("client_uri", "text")
    .addColumn("redirect_uri", "text", (c) => c.notNull())
    .addColumn("challenge", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("resource", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .addColumn("token_id", "text")
    .addColumn("knowledge_base_ids", "text")
    .execute();
  await schema.createIndex("oauth_codes_age").on("oauth_codes").column("expires_at").execute();

  await schema
    .createTable("oauth_refresh_tokens")
    .addColumn("token_hash", "text", (c) => c.primaryKey())
    .addColumn("token_id", "text", (c) => c.notNull().references("tokens.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .execute();
  await schema.createIndex("oauth_refresh_tokens_grant").on("oauth_refresh_tokens").column("token_id").execute();
};
