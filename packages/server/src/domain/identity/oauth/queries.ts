import type { Reader, Tx } from "../../../db/database.ts";
import type { OAuthClientRow, OAuthCodeRow, OAuthGrantRow } from "../../../db/schema/tables/oauth.ts";

export const findClient = (db: Reader, id: string) =>
  db.selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();

export const putClient = (tx: Tx, row: OAuthClientRow) =>
  tx
    .insertInto("oauth_clients")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        name: row.name,
        uri: row.uri,
        redirect_uris: row.redirect_uris,
        fetched_at: row.fetched_at,
        fresh_until: row.fresh_until,
      }),
    )
    .execute();

export const updateClientUse = (tx: Tx, id: string, now: number) =>
  tx.updateTable("oauth_clients").set({ used_at: now }).where("id", "=", id).execute();

/** Deletes programs that were never authorized, and those that have not been authorized for a long time. */
export const deleteClientsBefore = (tx: Tx, unanswered: number, unused: number) =>
  tx
    .deleteFrom("oauth_clients")
    .where((eb) =>
      eb.or([
        eb.and([eb("used_at", "is", null), eb("created_at", "<", unanswered)]),
        eb.and([eb("used_at", "is not", null), eb("used_at", "<", unused)]),
      ]),
    )
    .execute();

export const insertCode = (tx: Tx, row: OAuthCodeRow) => tx.insertInto("oauth_codes").values(row).execute();

export const deleteCodesBefore = (tx: Tx, time: number) =>
  tx.deleteFrom("oauth_codes").where("expires_at", "<", time).execute();

/** Locks the code, so that requests with it are serialized. */
export const lockCode = (tx: Tx, codeHash: string) =>
  tx
    .updateTable("oauth_codes")
    .set((eb) => ({ client_id: eb.ref("client_id") }))
    .where("code_hash", "=", codeHash)
    .returningAll()
    .executeTakeFirst();

export const updateCodeUsed = (tx: Tx, codeHash: string, tokenId: string, now: number) =>
  tx.updateTable("oauth_codes").set({ used_at: now, token_id: tokenId }).where("code_hash", "=", codeHash).execute();

export const insertGrant = (tx: Tx, row: OAuthGrantRow) => tx.insertInto("oauth_grants").values(row).execute();

export const updateGrantExpiry = (tx: Tx, tokenId: string, expires_at: number) =>
  tx.updateTable("oauth_grants").set({ expires_at }).where("token_id", "=", tokenId).execute();

export const insertRefreshToken = (tx: Tx, tokenHash: string, tokenId: string, expiresAt: number) =>
  tx
    .insertInto("oauth_refresh_tokens")
    .values({ token_hash: tokenHash, token_id: tokenId, expires_at: expiresAt, used_at: null })
    .execute();

/** Locks the refresh token and returns it with its connection. */
export async function lockRefreshToken(tx: Tx, tokenHash: string) {
  const row = await tx
    .updateTable("oauth_refresh_tokens")
    .set((eb) => ({ token_id: eb.ref("token_id") }))
    .where("token_hash", "=", tokenHash)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const grant = await findGrant(tx, row.token_id);
  return grant && { ...grant, refresh_expires_at: row.expires_at, used_at: row.used_at };
}

export const findGrant = (db: Reader, tokenId: string) =>
  db
    .selectFrom("oauth_grants as g")
    .innerJoin("tokens as t", "t.id", "g.token_id")
    .innerJoin("users as u", "u.id", "t.user_id")
    .selectAll("g")
    .select(["t.name", "t.user_id", "t.workspace_id", "t.revoked_at", "u.name as holder"])
    .where("g.token_id", "=", tokenId)
    .executeTakeFirst();

export const updateRefreshUsed = (tx: Tx, tokenHash: string, now: number) =>
  tx.updateTable("oauth_refresh_tokens").set({ used_at: now }).where("token_hash", "=", tokenHash).execute();

/** Used tokens are kept for a while to detect reuse. */
export const deleteRefreshTokensBefore = (tx: Tx, tokenId: string, usedBefore: number) =>
  tx.deleteFrom("oauth_refresh_tokens").where("token_id", "=", tokenId).where("used_at", "<", usedBefore).execute();

/** Renews the connection's access; the previous value stops working. */
export const updateAccess = (
  tx: Tx,
  tokenId: string,
  change: { token_hash: string; scopes: string; expires_at: number },
) => tx.updateTable("tokens").set(change).where("id", "=", tokenId).execute();

/** A person's active connections, latest first. */
export const listConnections = (db: Reader, userId: string, now: number) =>
  db
    .selectFrom("oauth_grants as g")
    .innerJoin("tokens as t", "t.id", "g.token_id")
    .innerJoin("workspaces as w", "w.id", "t.workspace_id")
    .select([
      "t.id",
      "t.name",
      "t.access",
      "t.created_at",
      "t.last_used_at",
      "g.client_id",
      "g.client_uri",
      "g.expires_at",
      "t.knowledge_base_ids",
    ])
    .select("w.name as workspace_name")
    .where("t.user_id", "=", userId)
    .where("t.revoked_at", "is", null)
    .where("g.expires_at", ">", now)
    .orderBy("t.id", "desc")
    .execute();
