import type { Reader } from "../../../db/database.ts";

/** Counts the workspace's webhooks for its quota. */
export async function countWebhooks(db: Reader, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("deleted", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}
