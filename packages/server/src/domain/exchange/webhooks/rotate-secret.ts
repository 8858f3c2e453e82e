import type { Tx } from "../../../db/database.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import { newNonce } from "../../../ports/webhooks/signature.ts";
import { lockWebhook, updateWebhook } from "./queries.ts";

/** Creates a new secret. The previous one also signs for a while, so that the receiver can switch. */
export async function rotateSecret(tx: Tx, workspaceId: string, id: string, graceSeconds: number): Promise<WebhookRow> {
  const row = await lockWebhook(tx, workspaceId, id);
  return updateWebhook(tx, row, {
    secret_nonce: newNonce(),
    old_secret_nonce: graceSeconds === 0 ? null : row.secret_nonce,
    old_secret_expires_at: graceSeconds === 0 ? 0 : Date.now() + graceSeconds * 1000,
  });
}
