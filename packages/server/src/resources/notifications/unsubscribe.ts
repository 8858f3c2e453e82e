import { createHmac, timingSafeEqual } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import type { NotificationReason } from "../../db/schema/tables/discussion.ts";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";
import { findSettings, putSettings } from "./queries.ts";
import { kindsOf, reasons, withChanges } from "./settings.ts";

/** Which mails of whom a link ends: those of one kind, or the daily ones. */
interface Unsubscription {
  readonly workspaceId: string;
  readonly userId: string;
  readonly kind: NotificationReason | "daily";
}

const signatureOf = (secret: string, text: string): Buffer =>
  createHmac("sha256", secret).update(`unsubscribe ${text}`).digest();

/** A token for a link that works without signing in. It can do nothing but end mails, so it does not expire. */
export function unsubscribeToken({ current }: ServerSecret, { workspaceId, userId, kind }: Unsubscription): string {
  const text = `${workspaceId}.${userId}.${kind}`;
  return `${text}.${signatureOf(current, text).toString("base64url")}`;
}

/** What a link is for; undefined when we did not make it. */
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

/** Ends these mails; once more changes nothing. */
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
