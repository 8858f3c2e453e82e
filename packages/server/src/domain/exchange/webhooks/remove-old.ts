import type { Database } from "../../../db/database.ts";

const STEP = 500;

/**
 * Removes some deliveries that ended before `before` and some remains of deleted webhooks. True if there may be more.
 */
export const removeOld = async (database: Database, before: number): Promise<boolean> =>
  (await removeEnded(database, before)) || removeDeleted(database);

/** Runs one step; false when nothing is left. */
async function removeEnded(database: Database, before: number): Promise<boolean> {
  const old = await database.read
    .selectFrom("webhook_deliveries")
    .select(["workspace_id", "id"])
    .where("finished_at", "<", before)
    .orderBy("finished_at")
    .limit(STEP)
    .execute();
  if (old.length === 0) return false;
  await database.transaction((tx) =>
    tx
      .deleteFrom("webhook_deliveries")
      .where("workspace_id", "in", [...new Set(old.map((row) => row.workspace_id))])
      .where(
        "id",
        "in",
        old.map((row) => row.id),
      )
      .where("finished_at", "<", before)
      .execute(),
  );
  return old.length === STEP;
}

async function removeDeleted(database: Database): Promise<boolean> {
  const webhook = await database.read
    .selectFrom("webhooks")
    .select(["workspace_id", "id"])
    .where("deleted", "=", 1)
    .executeTakeFirst();
  if (!webhook) return false;
  await database.transaction(async (tx) => {
    const some = await tx
      .selectFrom("webhook_deliveries")
      .select("id")
      .where("workspace_id", "=", webhook.workspace_id)
      .where("webhook_id", "=", webhook.id)
      .limit(STEP)
      .execute();
    const ids = some.map((row) => row.id);
    if (ids.length > 0)
      await tx
        .deleteFrom("webhook_deliveries")
        .where("workspace_id", "=", webhook.workspace_id)
        .where("webhook_id", "=", webhook.id)
        .where("id", "in", ids)
        .execute();
    if (ids.length < STEP)
      await tx
        .deleteFrom("webhooks")
        .where("workspace_id", "=", webhook.workspace_id)
        .where("id", "=", webhook.id)
        .execute();
  });
  return true;
}
