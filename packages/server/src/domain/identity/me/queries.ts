import type { Reader } from "../../../db/database.ts";

export async function findTranslatedCharacters(db: Reader, workspaceId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom("translation_usage")
    .select("characters")
    .where("workspace_id", "=", workspaceId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.characters ?? 0;
}

/** Tokens that questions to the model used on a day. */
export async function findAskedTokens(db: Reader, workspaceId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom("ask_usage")
    .select("tokens")
    .where("workspace_id", "=", workspaceId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.tokens ?? 0;
}
