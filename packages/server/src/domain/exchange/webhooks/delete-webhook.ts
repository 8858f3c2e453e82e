import type { Tx } from "../../../db/database.ts";
import { checkExpected, type Expected } from "../../../http/preconditions.ts";
import { lockWebhook, updateWebhook, webhookVersion } from "./queries.ts";

/** Deletes a webhook at once; its deliveries, which may be many, are removed in the background. */
export async function deleteWebhook(
  tx: Tx,
  workspaceId: string,
  id: string,
  expected: Expected | undefined,
): Promise<void> {
  const row = await lockWebhook(tx, workspaceId, id);
  checkExpected(expected, webhookVersion(row));
  await updateWebhook(tx, row, { deleted: 1, enabled: 0 });
}
