import type { Reader, Tx } from "../../db/database.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";

export async function findRole(db: Reader, workspaceId: string, userId: string): Promise<Role | undefined> {
  const row = await db
    .selectFrom("memberships")
    .select("role")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role;
}

/** The people of a workspace, the first to join first. */
export const listMembers = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["u.id", "u.name", "u.email", "m.role", "m.created_at"])
    .where("m.workspace_id", "=", workspaceId)
    .orderBy("m.created_at")
    .orderBy("u.id")
    .execute();

/** Serialises changes of who belongs to a workspace: everyone who makes one takes this first. */
export const lockWorkspace = (tx: Tx, workspaceId: string) =>
  tx
    .updateTable("workspaces")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", workspaceId)
    .returning("id")
    .executeTakeFirst();

export async function countOwners(db: Reader, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom("memberships")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("role", "=", "owner")
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

export const deleteMembership = (tx: Tx, workspaceId: string, userId: string) =>
  tx.deleteFrom("memberships").where("workspace_id", "=", workspaceId).where("user_id", "=", userId).execute();

/** Their tokens end with the membership, so that joining again brings none back to life. */
export const revokeTokensOf = (tx: Tx, workspaceId: string, userId: string, now: number) =>
  tx
    .updateTable("tokens")
    .set({ revoked_at: now })
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
