import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { startError } from "@svc/server/app/processes/start-error";
import { type Config, readConfig } from "@svc/server/config";
import { connect, sqliteFile } from "@svc/server/db/connect";
import { type Database, DatabaseUnavailable, type Tx } from "@svc/server/db/database";
import { AccountError } from "@svc/server/domain/identity/accounts/account-error";
import { recordAudit } from "@svc/server/http/audit";
import { newId } from "@svc/server/ids";
import type { Notifying } from "@svc/server/notify/notify";
import { openMailer } from "@svc/server/ports/mail/open-mailer";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { note } from "../output.ts";

const quiet = { warn: () => undefined };

/**
 * Opens the store of the settings for one command, and closes it whatever happens. Only a command that may be the first
 * one (`isFirst`) makes a store where there is none: elsewhere than the server's it would be of use to nobody.
 */
export async function withStore<T>(
  work: (database: Database, config: Config) => Promise<T>,
  { isFirst = false } = {},
): Promise<T> {
  const config = readConfig(process.env);
  if (!config.databaseUrl && !existsSync(sqliteFile(config))) {
    const place = resolve(config.dataDir);
    if (!isFirst) throw new AccountError(`There is no store in ${place}: set SVC_DATA_DIR as the server has it.`);
    note(`A new store is made in ${place}, where a server with the same SVC_DATA_DIR finds it.`);
  }
  const database = await connect(config, quiet).catch((error) => {
    throw error instanceof DatabaseUnavailable ? new CommandError(EXIT.failure, startError(error, config)) : error;
  });
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** For notifications: the jobs of the server send the mails, and look for new ones by themselves. */
export const tellingOf = ({ smtpUrl, mailFrom }: Config): Notifying => ({
  mailer: openMailer({ url: smtpUrl, from: mailFrom }),
  wakeJobs: () => undefined,
});

/** Records an operator's command in the audit log like any other change. */
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
