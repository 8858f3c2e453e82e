import type { Reader, Tx } from "../../../db/database.ts";
import type { BaseRole, BaseRoleRow } from "../../../db/schema/tables/rights.ts";

/** Lists the roles assigned in a knowledge base, by subject: users and groups. */
export const listBaseRoles = (db: Reader, workspaceId: string, knowledgeBaseId: number) =>
  db
    .selectFrom("base_roles")
    .select(["subject_id", "role"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .orderBy("subject_id")
    .execute();

/** Returns the ids that name members or groups of the workspace. */
export async function listKnownSubjects(db: Reader, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const users = await db
    .selectFrom("memberships")
    .select("user_id as id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "in", ids)
    .execute();
  const groups = await db
    .selectFrom("member_groups")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Set([...users, ...groups].map(({ id }) => id));
}

export async function replaceBaseRoles(
  tx: Tx,
  workspaceId: string,
  knowledgeBaseId: number,
  defaultRole: BaseRole | null,
  rows: readonly BaseRoleRow[],
): Promise<void> {
  await deleteBaseRoles(tx, workspaceId, knowledgeBaseId);
  if (rows.length > 0) await tx.insertInto("base_roles").values(rows).execute();
  await tx
    .updateTable("knowledge_bases")
    .set({ default_role: defaultRole })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", knowledgeBaseId)
    .execute();
}

const deleteBaseRoles = (tx: Tx, workspaceId: string, knowledgeBaseId: number) =>
  tx
    .deleteFrom("base_roles")
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .execute();
