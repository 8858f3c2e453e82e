import type { Reader, Tx } from "../../../db/database.ts";
import type { TokenRow } from "../../../db/schema/tables/accounts.ts";

/** The given ids that are knowledge bases of the workspace. */
export const listBaseIds = async (db: Reader, workspaceId: string, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom("knowledge_bases")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", ids)
        .execute();

export const insertToken = (tx: Tx, token: TokenRow) => tx.insertInto("tokens").values(token).execute();

/** Tokens that a person created or a device received; excludes those of connected programs. */
export const listTokensByHand = (db: Reader, userId: string, workspaceId: string) =>
  db
    .selectFrom("tokens as t")
    .leftJoin("oauth_grants as g", "g.token_id", "t.id")
    .selectAll("t")
    .where("t.user_id", "=", userId)
    .where("t.workspace_id", "=", workspaceId)
    .where("g.token_id", "is", null)
    .orderBy("t.id")
    .execute();

export const listTokens = (db: Reader, userId: string, workspaceId?: string) => {
  const tokens = db.selectFrom("tokens").selectAll().where("user_id", "=", userId);
  return (workspaceId ? tokens.where("workspace_id", "=", workspaceId) : tokens).orderBy("id").execute();
};

/** Every token of a workspace with its owner, newest first; a program's token lasts as long as its connection. */
export const listWorkspaceTokens = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("users as u", "u.id", "t.user_id")
    .selectAll("t")
    .leftJoin("oauth_grants as g", "g.token_id", "t.id")
    .select(["u.name as holder", "u.email as holder_email"])
    .select((eb) => eb.fn.coalesce("g.expires_at", "t.expires_at").as("expires_at"))
    .where("t.workspace_id", "=", workspaceId)
    .orderBy("t.id", "desc")
    .execute();

/** Counts a person's active tokens; a program's token is active as long as its connection. */
export async function countWorkingTokens(db: Reader, userId: string, workspaceId: string, now: number) {
  const row = await db
    .selectFrom("tokens as t")
    .leftJoin("oauth_grants as g", "g.token_id", "t.id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("t.user_id", "=", userId)
    .where("t.workspace_id", "=", workspaceId)
    .where("t.revoked_at", "is", null)
    .where((eb) => {
      const expiresAt = eb.fn.coalesce("g.expires_at", "t.expires_at");
      return eb.or([eb(expiresAt, "is", null), eb(expiresAt, ">", now)]);
    })
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Revokes all active tokens of a person in every workspace, including those about to be issued; returns their number.
 */
export async function revokeAllTokens(tx: Tx, userId: string, now: number): Promise<number> {
  await tx.deleteFrom("oauth_codes").where("user_id", "=", userId).where("used_at", "is", null).execute();
  await tx.deleteFrom("device_codes").where("user_id", "=", userId).where("status", "=", "approved").execute();
  const revoked = await tx
    .updateTable("tokens")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  return revoked.length;
}

/** A token of a workspace with its owner. */
export const findToken = (db: Reader, id: string, workspaceId: string) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("users as u", "u.id", "t.user_id")
    .select(["t.id", "t.name", "t.user_id", "u.name as holder"])
    .where("t.id", "=", id)
    .where("t.workspace_id", "=", workspaceId)
    .executeTakeFirst();

export const findTokenByHash = (db: Reader, tokenHash: string) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("users as u", "u.id", "t.user_id")
    .selectAll("t")
    .select("u.name as holder")
    .where("t.token_hash", "=", tokenHash)
    .executeTakeFirst();

/** The token, or undefined if there is none; a token that is already revoked keeps its time. */
export const revokeToken = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable("tokens")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now)) }))
    .where("id", "=", id)
    .returning(["id", "workspace_id", "user_id"])
    .executeTakeFirst();
