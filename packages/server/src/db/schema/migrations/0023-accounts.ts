import type { Migration } from "../migration.ts";

/** Accounts that can be disabled and reset, places a person signed in from, and audit entries in words. */
export const accounts: Migration = async ({ schema }) => {
  await schema.alterTable("users").addColumn("disabled_at", "bigint").execute();
  await schema.alterTable("audit_log").addColumn("summary", "text").execute();
  await schema.alterTable("device_codes").addColumn("address", "text").execute();
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
    .execute();
};
