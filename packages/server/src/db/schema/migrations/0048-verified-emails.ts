import type { Migration } from "../migration.ts";

/**
 * Whether somebody has proven that the address of an account is theirs. Of accounts from before this was kept, only
 * those count as proven that a provider opens: it vouched for the address.
 */
export const verifiedEmails: Migration = async (db) => {
  const { schema } = db;
  await schema.alterTable("users").addColumn("email_verified_at", "bigint").execute();
  await schema.alterTable("password_resets").addColumn("mailed_to", "text").execute();
  await schema
    .createTable("email_proofs")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db
    .updateTable("users")
    .set((eb) => ({
      email_verified_at: eb
        .selectFrom("identities")
        .select((of) => of.fn.min("identities.created_at").as("since"))
        .whereRef("identities.user_id", "=", "users.id"),
    }))
    .execute();
};
