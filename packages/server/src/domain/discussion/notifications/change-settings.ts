import type { Static } from "typebox";
import type { Reader, Tx } from "../../../db/database.ts";
import { invalidRequest } from "../../../errors.ts";
import { findSettings, putSettings } from "../../../notify/queries.ts";
import { kindsOf, withChanges } from "../../../notify/settings.ts";
import { newNonce } from "../../../ports/webhooks/signature.ts";
import type { Services } from "../../../services.ts";
import type { SettingsChange } from "./settings-schema.ts";
import { webhookSecretOf } from "./webhook-job.ts";

interface Person {
  readonly workspace_id: string;
  readonly user_id: string;
}

/** A person's notification settings, limited to what the server supports. */
export async function readSettings(app: Services, db: Reader, person: Person) {
  const row = await findSettings(db, person);
  return {
    kinds: kindsOf(row),
    webhook_url: row?.webhook_url ?? null,
    webhook_secret: webhookSecretOf(app, row),
    mail: app.mailer !== undefined,
  };
}

/** Changes the given settings; the others stay. */
export async function changeSettings(
  app: Pick<Services, "webhooks">,
  tx: Tx,
  person: Person,
  change: Static<typeof SettingsChange>,
): Promise<void> {
  const row = await findSettings(tx, person);
  const url = change.webhook_url === undefined ? (row?.webhook_url ?? null) : change.webhook_url;
  const problem = change.webhook_url == null ? undefined : app.webhooks.problem(change.webhook_url);
  if (problem) throw invalidRequest("body.webhook_url", problem);
  const isSameUrl = url === (row?.webhook_url ?? null);
  await putSettings(tx, {
    ...person,
    kinds: JSON.stringify(withChanges(kindsOf(row), change.kinds ?? {})),
    webhook_url: url,
    webhook_nonce: isSameUrl ? (row?.webhook_nonce ?? null) : newNonce(),
    updated_at: Date.now(),
  });
}
