import type { Migration } from "../migration.ts";

export const shares: Migration = async ({ schema }) => {
  await schema
    .createTable("shares")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("document_id", "text", (c) => c.notNull())
    .addColumn("nonce", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("shares_pk", ["workspace_id", "document_id"])
    .execute();
  await schema.createIndex("shares_token").unique().on("shares").column("token_hash").execute();
};
