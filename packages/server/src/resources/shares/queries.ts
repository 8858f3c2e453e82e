import { defined } from "@svc/document/defined";
import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentRow, ShareRow } from "../../db/schema/tables/documents.ts";

const BATCH = 500;

export const findShare = (db: Reader, workspaceId: string, documentId: string): Promise<ShareRow | undefined> =>
  db
    .selectFrom("shares")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .executeTakeFirst();

/** Keeps the one that is there, if there is one. */
export async function ensureShare(tx: Tx, row: ShareRow): Promise<ShareRow> {
  await tx
    .insertInto("shares")
    .values(row)
    .onConflict((conflict) => conflict.columns(["workspace_id", "document_id"]).doNothing())
    .execute();
  return defined(await findShare(tx, row.workspace_id, row.document_id));
}

export const updateTokenHash = (tx: Tx, row: ShareRow, tokenHash: string) =>
  tx
    .updateTable("shares")
    .set({ token_hash: tokenHash })
    .where("workspace_id", "=", row.workspace_id)
    .where("document_id", "=", row.document_id)
    .execute();

export async function deleteShare(tx: Tx, workspaceId: string, documentId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom("shares")
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", documentId)
    .returning("document_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** A link dies with its document, and does not come back with it from the trash. */
export async function deleteSharesOf(tx: Tx, workspaceId: string, documents: readonly DocumentRow[]): Promise<void> {
  for (let i = 0; i < documents.length; i += BATCH)
    await tx
      .deleteFrom("shares")
      .where("workspace_id", "=", workspaceId)
      .where(
        "document_id",
        "in",
        documents.slice(i, i + BATCH).map((document) => document.id),
      )
      .execute();
}

/** The document that a visitor's token opens. */
export const findSharedDocument = (db: Reader, tokenHash: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom("shares")
    .innerJoin("documents", (join) =>
      join.onRef("documents.workspace_id", "=", "shares.workspace_id").onRef("documents.id", "=", "shares.document_id"),
    )
    .selectAll("documents")
    .where("shares.token_hash", "=", tokenHash)
    .executeTakeFirst();
