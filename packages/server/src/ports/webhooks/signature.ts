import { createHmac, randomBytes } from "node:crypto";
import type { WebhookRow } from "../../db/schema/tables/events.ts";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";

const PREFIX = "whsec_";

/** The columns from which a signature is derived. */
type Signer = Pick<WebhookRow, "id" | "secret_nonce" | "old_secret_nonce" | "old_secret_expires_at">;

export const newNonce = (): string => randomBytes(16).toString("base64url");

/**
 * Derived rather than stored: somebody who can only read the database cannot sign. A new server secret changes all
 * keys.
 */
const keyOf = (serverSecret: string, webhookId: string, nonce: string): Buffer =>
  createHmac("sha256", serverSecret).update(`webhook ${webhookId} ${nonce}`).digest();

/** The secret as its owner sees it. */
export const shownSecret = (secret: ServerSecret, { id, secret_nonce }: Signer): string =>
  PREFIX + keyOf(secret.current, id, secret_nonce).toString("base64");

/**
 * Returns one signature for each valid secret, newest first, following the Standard Webhooks specification. After a
 * change of the server's secret, the receiver may still have the key derived from the previous one.
 */
export function signatureHeaders(
  secret: ServerSecret,
  webhook: Signer,
  message: { readonly id: string; readonly body: string },
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  const old = webhook.old_secret_expires_at > now ? webhook.old_secret_nonce : null;
  const nonces = [webhook.secret_nonce, old].filter((nonce) => nonce !== null);
  const keys = validSecrets(secret).flatMap((one) => nonces.map((nonce) => keyOf(one, webhook.id, nonce)));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
