import type { Reader, Tx } from "../../../db/database.ts";
import type { InvitationRow } from "../../../db/schema/tables/accounts.ts";

export const insertInvitation = (tx: Tx, row: InvitationRow) => tx.insertInto("invitations").values(row).execute();

export const deleteInvitationsBefore = (tx: Tx, time: number) =>
  tx.deleteFrom("invitations").where("expires_at", "<", time).execute();

/** In every workspace. */
export const deleteInvitationsBy = (tx: Tx, userId: string) =>
  tx.deleteFrom("invitations").where("created_by", "=", userId).execute();

export const listInvitations = (db: Reader, workspaceId: string, now: number) =>
  db
    .selectFrom("invitations")
    .select(["id", "role", "note", "created_at", "expires_at"])
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .execute();

/** The open invitation for a link, with its inviter and workspace; only active owners can invite. */
export const findInvitation = (db: Reader, tokenHash: string, now: number) =>
  db
    .selectFrom("invitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspace_id")
    .innerJoin("users as u", "u.id", "i.created_by")
    .innerJoin("memberships as m", (join) =>
      join.onRef("m.workspace_id", "=", "i.workspace_id").onRef("m.user_id", "=", "i.created_by"),
    )
    .select(["i.id", "i.workspace_id", "i.role", "w.name as workspace_name", "u.name as inviter"])
    .where("i.token_hash", "=", tokenHash)
    .where("i.expires_at", ">", now)
    .where("m.role", "=", "owner")
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();

/** Deletes the invitation: only the first caller gets it. */
export const takeInvitation = (tx: Tx, tokenHash: string, now: number) =>
  tx
    .deleteFrom("invitations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning(["workspace_id", "role", "created_by"])
    .executeTakeFirst();

export const deleteInvitation = (tx: Tx, workspaceId: string, id: string) =>
  tx
    .deleteFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returning(["role", "note"])
    .executeTakeFirst();
