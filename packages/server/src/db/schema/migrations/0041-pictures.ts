import type { Migration } from "../migration.ts";

/** What people chose to be shown as, one small picture each. */
export const pictures: Migration = async ({ schema }, types) => {
  await schema
    .createTable("pictures")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("content_type", "text", (c) => c.notNull())
    .addColumn("sha256", "text", (c) => c.notNull())
    .addColumn("content", types.bytes, (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
};
