import { defined } from "@svc/document/defined";
import type { JobRow } from "../../../db/schema/tables/jobs.ts";
import { type JobKind, obsolete } from "../../../jobs/job.ts";
import { mailBaseUrl, pathIn } from "../../../mail/mail-url.ts";
import { mailRetries, sendMail } from "../../../mail/send-mail.ts";
import { NOTIFICATION_MAIL } from "../../../notify/notify.ts";
import { findSettings } from "../../../notify/queries.ts";
import { kindsOf } from "../../../notify/settings.ts";
import type { Services } from "../../../services.ts";
import { aboutOf, type Deliverable, findDeliverable, pathOf } from "./deliverable.ts";
import { mailAbout } from "./mail-text.ts";
import { unsubscribeToken } from "./unsubscribe.ts";

interface Payload {
  readonly user_id: string;
  readonly ids: readonly string[];
  readonly isDigest?: boolean;
}

/** The mail is composed when it is sent, so that current rights and settings apply. */
export const notificationMailKind: JobKind = {
  kind: NOTIFICATION_MAIL,
  retries: mailRetries,
  run: async (job, app) => {
    const deliverable = await wantedNow(app, job);
    if (!deliverable) return async () => obsolete("Nothing of it is to be mailed any more.");
    const end = await sendMail(app, job, mailOf(app, job.workspace_id, deliverable, payloadOf(job)));
    return async () => end;
  },
};

const payloadOf = (job: JobRow): Payload => JSON.parse(job.payload);

async function wantedNow({ database }: Pick<Services, "database">, job: JobRow): Promise<Deliverable | undefined> {
  const { user_id, ids, isDigest } = payloadOf(job);
  const deliverable = await findDeliverable(database.read, job.workspace_id, user_id, ids);
  if (!deliverable) return undefined;
  const kinds = kindsOf(await findSettings(database.read, { workspace_id: job.workspace_id, user_id }));
  const rows = deliverable.rows.filter(({ reason, read_at }) =>
    isDigest ? read_at === null && kinds[reason].email === "daily" : kinds[reason].email === "at_once",
  );
  return rows.length > 0 ? { ...deliverable, rows } : undefined;
}

function mailOf(
  app: Pick<Services, "config" | "secret">,
  workspaceId: string,
  { recipient, rows }: Deliverable,
  { isDigest }: Payload,
) {
  const base = mailBaseUrl(app.config);
  const kind = isDigest ? "daily" : defined(rows[0]).reason;
  const token = unsubscribeToken(app.secret, { workspaceId, userId: recipient.userId, kind });
  const unsubscribe = `${base}/unsubscribe/${token}`;
  const items = rows.map((row) => ({
    reason: row.reason,
    actorName: JSON.parse(row.actor).name,
    about: aboutOf(row),
    excerpt: row.excerpt,
    url: base + (pathOf(row) ?? pathIn(workspaceId, "/knowledge-bases")),
  }));
  return {
    to: recipient.email,
    ...mailAbout(items, { settings: base + pathIn(workspaceId, "/notifications/settings"), unsubscribe }),
    unsubscribe,
  };
}
