import type { Reader, Tx } from "../../../db/database.ts";
import type { Role } from "../../../db/schema/tables/accounts.ts";

export async function findRole(db: Reader, workspaceId: string, userId: string): Promise<Role | undefined> {
  const row = await db
    .selectFrom("memberships")
    .select("role")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role;
}

/** The role of a member with an active account. */
export async function findActiveRole(db: Reader, workspaceId: string, userId: string): Promise<Role | undefined> {
  const row = await db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select("m.role")
    .where("m.workspace_id", "=", workspaceId)
    .where("m.user_id", "=", userId)
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();
  return row?.role;
}

export const findMember = (db: Reader, workspaceId: string, userId: string) =>
  db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["u.name", "m.role"])
    .where("m.workspace_id", "=", workspaceId)
    .where("m.user_id", "=", userId)
    .executeTakeFirst();

/** The members of a workspace in the order in which they joined. */
export const listMembers = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["u.id", "u.name", "u.email", "u.disabled_at", "m.role", "m.created_at"])
    .where("m.workspace_id", "=", workspaceId)
    .orderBy("m.created_at")
    .orderBy("u.id")
    .execute();

/** Serializes membership changes of a workspace; every such change takes this lock first. */
export const lockWorkspace = (tx: Tx, workspaceId: string) => tx.lock("workspace", workspaceId, workspaceId);

/** Counts the other active owners; a disabled account cannot manage anything. */
export async function countOwnersBeside(db: Reader, workspaceId: string, userId: string): Promise<number> {
  const row = await db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("m.workspace_id", "=", workspaceId)
    .where("m.role", "=", "owner")
    .where("m.user_id", "!=", userId)
    .where("u.disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export const updateRole = (tx: Tx, workspaceId: string, userId: string, role: Role) =>
  tx
    .updateTable("memberships")
    .set({ role })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .execute();

/** Also deletes their roles in knowledge bases and groups, so that rejoining does not restore them. */
export async function deleteMembership(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx.deleteFrom("base_roles").where("workspace_id", "=", workspaceId).where("subject_id", "=", userId).execute();
  await tx
    .deleteFrom("former_roles")
    .where("workspace_id", "=", workspaceId)
    .where("subject_id", "=", userId)
    .execute();
  await tx.deleteFrom("group_members").where("workspace_id", "=", workspaceId).where("user_id", "=", userId).execute();
  await tx.deleteFrom("memberships").where("workspace_id", "=", workspaceId).where("user_id", "=", userId).execute();
}

/** Tokens end with the membership, so that rejoining does not reactivate them. */
export const revokeTokensOf = (tx: Tx, workspaceId: string, userId: string, now: number) =>
  tx
    .updateTable("tokens")
    .set({ revoked_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();

/** Invitations end with the rights of the inviting person. */
export const deleteInvitationsOf = (tx: Tx, workspaceId: string, userId: string) =>
  tx.deleteFrom("invitations").where("workspace_id", "=", workspaceId).where("created_by", "=", userId).execute();
