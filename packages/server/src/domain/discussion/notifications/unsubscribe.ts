import { createHmac, timingSafeEqual } from "node:crypto";
import type { Tx } from "../../../db/database.ts";
import type { NotificationReason } from "../../../db/schema/tables/discussion.ts";
import { type ServerSecret, validSecrets } from "../../../http/server-secret.ts";
import { findSettings, putSettings } from "../../../notify/queries.ts";
import { kindsOf, reasons, withChanges } from "../../../notify/settings.ts";

/** The mails that a link unsubscribes from, and their recipient: one kind, or the daily mail. */
interface Unsubscription {
  readonly workspaceId: string;
  readonly userId: string;
  readonly kind: NotificationReason | "daily";
}

const signatureOf = (secret: string, text: string): Buffer =>
  createHmac("sha256", secret).update(`unsubscribe ${text}`).digest();

/** A token for a link that works without signing in. It can only unsubscribe, so it does not expire. */
export function unsubscribeToken({ current }: ServerSecret, { workspaceId, userId, kind }: Unsubscription): string {
  const text = `${workspaceId}.${userId}.${kind}`;
  return `${text}.${signatureOf(current, text).toString("base64url")}`;
}

/** Reads the token of a link; undefined if it is not authentic. */
export function readUnsubscribeToken(secret: ServerSecret, token: string): Unsubscription | undefined {
  const [workspaceId = "", userId = "", kind = "", signature = ""] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const isOurs = validSecrets(secret).some((one) => {
    const expected = signatureOf(one, `${workspaceId}.${userId}.${kind}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  const known = kind === "daily" ? kind : reasons.find((reason) => reason === kind);
  return isOurs && known ? { workspaceId, userId, kind: known } : undefined;
}

/** Unsubscribes from these mails; idempotent. */
export async function unsubscribe(tx: Tx, { workspaceId, userId, kind }: Unsubscription): Promise<void> {
  const person = { workspace_id: workspaceId, user_id: userId };
  const row = await findSettings(tx, person);
  const kinds = kindsOf(row);
  const ended = reasons.filter((reason) => (kind === "daily" ? kinds[reason].email === "daily" : reason === kind));
  const changed = withChanges(kinds, Object.fromEntries(ended.map((reason) => [reason, { email: "off" as const }])));
  await putSettings(tx, {
    ...person,
    kinds: JSON.stringify(changed),
    webhook_url: row?.webhook_url ?? null,
    webhook_nonce: row?.webhook_nonce ?? null,
    updated_at: Date.now(),
  });
}
