import { createHmac, randomBytes } from "node:crypto";
import type { WebhookRow } from "../../db/tables/events.ts";

const PREFIX = "whsec_";

export const newNonce = (): string => randomBytes(16).toString("base64url");

/** Derived, not kept: who reads the database alone cannot sign. Another server secret makes all of them others. */
const keyOf = (serverSecret: string, webhookId: string, nonce: string): Buffer =>
  createHmac("sha256", serverSecret).update(`webhook ${webhookId} ${nonce}`).digest();

/** The secret as its owner is shown it. */
export const shownSecret = (serverSecret: string, { id, secret_nonce }: WebhookRow): string =>
  PREFIX + keyOf(serverSecret, id, secret_nonce).toString("base64");

/** One signature for each secret that is valid, the newest first, after the Standard Webhooks specification. */
export function signatureHeaders(
  serverSecret: string,
  webhook: WebhookRow,
  message: { readonly id: string; readonly body: string },
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  const old = webhook.old_secret_expires_at > now ? webhook.old_secret_nonce : null;
  const signatures = [webhook.secret_nonce, old]
    .filter((nonce) => nonce !== null)
    .map((nonce) => {
      const hmac = createHmac("sha256", keyOf(serverSecret, webhook.id, nonce));
      return `v1,${hmac.update(`${message.id}.${timestamp}.${message.body}`).digest("base64")}`;
    });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
