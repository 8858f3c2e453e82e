import type { Reader } from "../db/database.ts";
import { listWhoSee } from "../rights/who-sees.ts";

/** The knowledge base or workspace of an event: only people who may see it are notified. */
interface Scope {
  readonly workspaceId: string;
  /** Null: the workspace itself. */
  readonly knowledgeBaseId: number | null;
}

export interface Recipient {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

/**
 * Returns the people who may read the content now: members with an active account who see the knowledge base. The only
 * function that decides this.
 */
export async function listReaders(
  db: Reader,
  { workspaceId, knowledgeBaseId }: Scope,
  userIds: readonly string[],
): Promise<readonly Recipient[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["u.id as userId", "u.email", "u.name"])
    .where("m.workspace_id", "=", workspaceId)
    .where("m.user_id", "in", userIds)
    .where("u.disabled_at", "is", null)
    .execute();
  if (knowledgeBaseId === null) return rows;
  const members = rows.map(({ userId }) => userId);
  const seeing = new Set(await listWhoSee(db, workspaceId, knowledgeBaseId, members));
  return rows.filter(({ userId }) => seeing.has(userId));
}
