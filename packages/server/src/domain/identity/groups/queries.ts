import type { Reader, Tx } from "../../../db/database.ts";
import type { MemberGroupRow } from "../../../db/schema/tables/rights.ts";
import { notFound } from "../../../errors.ts";

export const insertGroup = (tx: Tx, row: MemberGroupRow) => tx.insertInto("member_groups").values(row).execute();

const inWorkspace = (db: Reader, workspaceId: string) =>
  db.selectFrom("member_groups").selectAll().where("workspace_id", "=", workspaceId);

export const listGroups = (db: Reader, workspaceId: string, after: string, limit: number) =>
  inWorkspace(db, workspaceId).where("id", ">", after).orderBy("id").limit(limit).execute();

export async function getGroup(db: Reader, workspaceId: string, id: string): Promise<MemberGroupRow> {
  const row = await inWorkspace(db, workspaceId).where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound("group", id);
  return row;
}

/** The members of these groups, keyed by group. */
export async function listGroupMembers(db: Reader, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { user_id: string; name: string }[]>();
  const rows = await db
    .selectFrom("group_members as g")
    .innerJoin("users as u", "u.id", "g.user_id")
    .select(["g.group_id", "g.user_id", "u.name"])
    .where("g.workspace_id", "=", workspaceId)
    .where("g.group_id", "in", ids)
    .orderBy("g.user_id")
    .execute();
  return Map.groupBy(rows, (row) => row.group_id);
}

export const renameGroup = (tx: Tx, workspaceId: string, id: string, name: string) =>
  tx
    .updateTable("member_groups")
    .set({ name, updated_at: Date.now() })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .execute();

/** Deletes the group with its members and its roles. */
export async function deleteGroup(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom("base_roles").where("workspace_id", "=", workspaceId).where("subject_id", "=", id).execute();
  await tx.deleteFrom("former_roles").where("workspace_id", "=", workspaceId).where("subject_id", "=", id).execute();
  await tx.deleteFrom("group_members").where("workspace_id", "=", workspaceId).where("group_id", "=", id).execute();
  await tx.deleteFrom("member_groups").where("workspace_id", "=", workspaceId).where("id", "=", id).execute();
}

export const insertGroupMember = (tx: Tx, workspace_id: string, group_id: string, user_id: string) =>
  tx
    .insertInto("group_members")
    .values({ workspace_id, group_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteGroupMember = (tx: Tx, workspaceId: string, id: string, userId: string) =>
  tx
    .deleteFrom("group_members")
    .where("workspace_id", "=", workspaceId)
    .where("group_id", "=", id)
    .where("user_id", "=", userId)
    .execute();
