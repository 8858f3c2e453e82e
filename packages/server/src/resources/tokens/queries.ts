import type { Reader, Tx } from "../../db/database.ts";
import type { TokenRow } from "../../db/schema/tables/accounts.ts";

export const insertToken = (tx: Tx, token: TokenRow) => tx.insertInto("tokens").values(token).execute();

export const listTokens = (db: Reader, userId: string, workspaceId?: string) => {
  const tokens = db.selectFrom("tokens").selectAll().where("user_id", "=", userId);
  return (workspaceId ? tokens.where("workspace_id", "=", workspaceId) : tokens).orderBy("id").execute();
};

export const findOwnToken = (db: Reader, id: string, userId: string, workspaceId: string) =>
  db
    .selectFrom("tokens")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();

/** The token, or undefined when there is none; one that is revoked already keeps its time. */
export const revokeToken = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable("tokens")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", eb.val(now)) }))
    .where("id", "=", id)
    .returning(["id", "workspace_id", "user_id"])
    .executeTakeFirst();
