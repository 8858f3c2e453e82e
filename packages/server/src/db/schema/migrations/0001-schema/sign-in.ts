import type { Migration } from "../../migration.ts";

export const signIn: Migration = async ({ schema }) => {
  await schema
    .createTable("attempts")
    .addColumn("subject", "text", (c) => c.primaryKey())
    .addColumn("failures", "bigint", (c) => c.notNull())
    .addColumn("free_at", "bigint", (c) => c.notNull())
    .addColumn("forgotten_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("attempts_age").on("attempts").column("forgotten_at").execute();

  await schema
    .createTable("identities")
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("identities_pk", ["issuer", "subject"])
    .execute();
  await schema.createIndex("identities_user").on("identities").column("user_id").execute();

  await schema
    .createTable("claimed_groups")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("group_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("issuer", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("claimed_groups_pk", ["workspace_id", "group_id", "user_id", "issuer"])
    .execute();

  await schema
    .createTable("totp_factors")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("sealed", "text", (c) => c.notNull())
    .addColumn("confirmed_at", "bigint")
    .addColumn("last_step", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();

  await schema
    .createTable("recovery_codes")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("recovery_codes_pk", ["user_id", "code_hash"])
    .execute();

  await schema
    .createTable("passkeys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("credential_id", "text", (c) => c.notNull().unique())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("counter", "bigint", (c) => c.notNull())
    .addColumn("transports", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .execute();
  await schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();

  await schema
    .createTable("spent_tickets")
    .addColumn("ticket_hash", "text", (c) => c.primaryKey())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
};
