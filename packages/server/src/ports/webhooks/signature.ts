import { createHmac, randomBytes } from "node:crypto";
import type { WebhookRow } from "../../db/schema/tables/events.ts";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";

const PREFIX = "whsec_";

/** What a signature follows from. */
type Signer = Pick<WebhookRow, "id" | "secret_nonce" | "old_secret_nonce" | "old_secret_expires_at">;

export const newNonce = (): string => randomBytes(16).toString("base64url");

/** Derived, not kept: who reads the database alone cannot sign. Another server secret makes all of them others. */
const keyOf = (serverSecret: string, webhookId: string, nonce: string): Buffer =>
  createHmac("sha256", serverSecret).update(`webhook ${webhookId} ${nonce}`).digest();

/** The secret as its owner is shown it. */
export const shownSecret = (secret: ServerSecret, { id, secret_nonce }: Signer): string =>
  PREFIX + keyOf(secret.current, id, secret_nonce).toString("base64");

/**
 * One signature for each secret that is valid, the newest first, after the Standard Webhooks specification. After a change
 * of the server's secret its receiver may still have the one that follows from the previous.
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
