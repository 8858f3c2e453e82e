import { type Config, readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database, Tx } from "@svc/server/db/database";
import { recordAudit } from "@svc/server/http/audit";
import { newId } from "@svc/server/ids";
import { openMailer } from "@svc/server/ports/mail/open-mailer";
import type { Telling } from "@svc/server/resources/notifications/notify";

const quiet = { warn: () => undefined };

/** Opens the store of the settings for one command, and closes it whatever happens. */
export async function withStore<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const database = await connect(config, quiet);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** For notifications: the jobs of the server send the mails, and look for new ones by themselves. */
export const tellingOf = ({ smtpUrl, mailFrom }: Config): Telling => ({
  mailer: openMailer({ url: smtpUrl, from: mailFrom }),
  wakeJobs: () => undefined,
});

/** What the operator does on the command line stands in the audit log like any other change. */
export const auditCommand = (
  tx: Tx,
  workspaceId: string,
  userId: string,
  action: string,
  summary: string,
): Promise<void> =>
  recordAudit(
    tx,
    { workspaceId, userId, tokenId: null },
    { id: newId("req"), path: "command line", client: { name: "svc", version: null, agent: false } },
    { action, status: 200, summary },
  );
