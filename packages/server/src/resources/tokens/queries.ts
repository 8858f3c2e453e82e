import type { Reader, Tx } from "../../db/database.ts";
import type { TokenRow } from "../../db/schema/tables/accounts.ts";

/** Those of these knowledge bases that are in the workspace. */
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

/** Those a person made or a device got; the tokens of connected programs are not among them. */
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

/** Every token of a workspace with whose it is, the newest first; that of a program lasts as long as its connection. */
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

/** Tokens of a person that still work; that of a program works as long as its connection. */
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

/** Revokes all tokens of a person that still work, in every workspace, and those that are about to be; returns how many. */
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

/** A token of a workspace, and whose it is. */
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

/** The token, or undefined when there is none; one that is revoked already keeps its time. */
export const revokeToken = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable("tokens")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now)) }))
    .where("id", "=", id)
    .returning(["id", "workspace_id", "user_id"])
    .executeTakeFirst();
