import type { Reader } from "../db/database.ts";
import { loadRoles } from "./load-rights.ts";
import { roleIn } from "./rights.ts";

/** Returns the people who are members of the workspace now and see the knowledge base. */
export async function listWhoSee(
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const members = await db
    .selectFrom("memberships as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["m.user_id", "m.role", "w.rights_version"])
    .where("m.workspace_id", "=", workspaceId)
    .where("m.user_id", "in", userIds)
    .execute();
  const seeing: string[] = [];
  for (const { user_id: userId, role, rights_version: rightsVersion } of members) {
    const rights = await loadRoles(db, { workspaceId, userId, role, rightsVersion, boundTo: null });
    if (roleIn({ role, rights }, knowledgeBaseId) !== "none") seeing.push(userId);
  }
  return seeing;
}
