import type { Reader } from "../../../db/database.ts";
import type { KnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { archiveKeyOf, jobIdOf } from "./archive-key.ts";

export const findKnowledgeBaseByMark = (
  db: Reader,
  workspaceId: string,
  confirmId: string,
): Promise<KnowledgeBase | undefined> =>
  db
    .selectFrom("knowledge_bases")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("confirm_id", "=", confirmId)
    .executeTakeFirst();

/** Returns the keys of archives whose job has not ended. */
export async function findWaitingArchives(db: Reader, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("jobs")
    .select("id")
    .where("id", "in", keys.map(jobIdOf))
    .where("status", "in", ["pending", "running"])
    .execute();
  return new Set(rows.map((row) => archiveKeyOf(row.id)));
}
