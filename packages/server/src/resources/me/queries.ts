import type { Db } from "../../db/database.ts";

export const getCounters = (db: Db, workspaceId: string) =>
  db.selectFrom("workspace_counters").selectAll().where("workspace_id", "=", workspaceId).executeTakeFirstOrThrow();

export async function findTranslatedCharacters(db: Db, workspaceId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom("translation_usage")
    .select("characters")
    .where("workspace_id", "=", workspaceId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.characters ?? 0;
}
