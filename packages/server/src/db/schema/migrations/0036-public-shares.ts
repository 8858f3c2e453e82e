import { sql } from "kysely";
import type { Migration } from "../migration.ts";

/** Public links of documents and of folders, which may expire and have a password. */
export const publicShares: Migration = async (db) => {
  const { schema } = db;
  await schema
    .createTable("public_shares")
    .addColumn("workspace_id", "text", (c) => c.notNull())
    .addColumn("nonce", "text", (c) => c.notNull())
    .addColumn("document_id", "text")
    .addColumn("folder_id", "bigint")
    .addColumn("token_hash", "text", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("expires_at", "bigint")
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("public_shares_pk", ["workspace_id", "nonce"])
    .execute();
  // A null stands in no unique index, so that each of them holds the links of one kind.
  const unique = (name: string, columns: string[]) =>
    schema.createIndex(name).unique().on("public_shares").columns(columns).execute();
  await unique("public_shares_token", ["token_hash"]);
  await unique("public_shares_document", ["workspace_id", "document_id"]);
  await unique("public_shares_folder", ["workspace_id", "folder_id"]);
  await schema.createIndex("public_shares_expiry").on("public_shares").column("expires_at").execute();
  await sql`insert into public_shares (workspace_id, nonce, document_id, token_hash, created_by, created_at)
    select workspace_id, nonce, document_id, token_hash, created_by, created_at from shares`.execute(db);
  await schema.dropTable("shares").execute();
};
