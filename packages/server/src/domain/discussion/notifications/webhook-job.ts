import type { NotificationSettingsRow } from "../../../db/schema/tables/discussion.ts";
import { failed, type JobKind, obsolete, succeeded } from "../../../jobs/job.ts";
import { NOTIFICATION_WEBHOOK } from "../../../notify/notify.ts";
import { findSettings } from "../../../notify/queries.ts";
import { kindsOf } from "../../../notify/settings.ts";
import { shownSecret, signatureHeaders } from "../../../ports/webhooks/signature.ts";
import type { Services } from "../../../services.ts";
import { type Deliverable, findDeliverable } from "./deliverable.ts";

/** A person's own webhook in the form that signing needs. */
const signer = ({ workspace_id, user_id, webhook_nonce }: NotificationSettingsRow) => ({
  id: `${workspace_id} ${user_id}`,
  secret_nonce: webhook_nonce ?? "",
  old_secret_nonce: null,
  old_secret_expires_at: 0,
});

/** The secret with which the person's receiver verifies messages; null without an address. */
export const webhookSecretOf = (
  { secret }: Pick<Services, "secret">,
  row: NotificationSettingsRow | undefined,
): string | null => (row?.webhook_url == null ? null : shownSecret(secret, signer(row)));

/** Sends a notification to the person's webhook, signed like every webhook, with retries. */
export const notificationWebhookKind: JobKind = {
  kind: NOTIFICATION_WEBHOOK,
  retries: { attempts: 20, longestPauseMs: 15 * 60_000 },
  run: async (job, app, { signal }) => {
    const { user_id, ids }: { user_id: string; ids: readonly string[] } = JSON.parse(job.payload);
    const { read } = app.database;
    const settings = await findSettings(read, { workspace_id: job.workspace_id, user_id });
    const deliverable = await findDeliverable(read, job.workspace_id, user_id, ids);
    const [row] = deliverable?.rows ?? [];
    if (!row || settings?.webhook_url == null || !kindsOf(settings)[row.reason].webhook)
      return async () => obsolete("It is not to be sent any more.");
    const body = bodyOf(job.workspace_id, row);
    const headers = {
      "content-type": "application/json",
      ...signatureHeaders(app.secret, signer(settings), { id: row.id, body }, Date.now()),
    };
    const { error } = await app.webhooks.send({ url: settings.webhook_url, headers, body }, signal);
    if (error && error.code !== "gone" && error.code !== "url_not_allowed") throw new Error(error.message);
    return async () => (error ? failed(error.code, error.message) : succeeded({}));
  },
};

const bodyOf = (workspaceId: string, row: Deliverable["rows"][number]): string =>
  JSON.stringify({
    type: "notification.created",
    timestamp: new Date(row.created_at).toISOString(),
    data: {
      workspace_id: workspaceId,
      id: row.id,
      reason: row.reason,
      document_id: row.document_id || null,
      document_title: row.title,
      knowledge_base_id: row.knowledge_base_id,
      comment_id: row.comment_id,
      suggestion_id: row.suggestion_id,
      actor: JSON.parse(row.actor),
      excerpt: row.excerpt,
    },
  });
