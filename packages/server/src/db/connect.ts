import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database, Store } from "./database.ts";
import { closeDirectory, makePrivateDirectory } from "./private-files.ts";
import type { Signals } from "./signals.ts";
import { openSqlite } from "./sqlite/open.ts";
import { SqliteSignals } from "./sqlite/signals.ts";

export const sqliteFile = (config: Pick<Config, "dataDir">): string => join(config.dataDir, "svc.db");

/**
 * The connections to PostgreSQL of one process and of all workers on a machine: fewer than the hundred that it accepts
 * by default.
 */
const CONNECTIONS = { ofProcess: 16, ofAll: 80, least: 4 };
const connectionsOf = (workers: number): number =>
  Math.max(CONNECTIONS.least, Math.min(CONNECTIONS.ofProcess, Math.floor(CONNECTIONS.ofAll / workers)));

/** Opens the store that the settings name and brings its schema up to date. */
export async function connect(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databaseWaitMs" | "workers">,
  log: { warn(details: object, message: string): void },
): Promise<Database> {
  const warn = (details: object, message: string) => log.warn(details, message);
  if (config.databaseUrl) {
    closeDirectory(config.dataDir, warn);
    // Imported only when used: most servers run on SQLite.
    const { openPostgres } = await import("./postgres/open.ts");
    const { PostgresSignals } = await import("./postgres/signals.ts");
    const signals = new PostgresSignals(config.databaseUrl, log);
    const options = { maxConnections: connectionsOf(config.workers), signals, waitMs: config.databaseWaitMs };
    return withSignals(await openPostgres(config.databaseUrl, log, options), signals);
  }
  makePrivateDirectory(config.dataDir, warn);
  const file = sqliteFile(config);
  const signals = new SqliteSignals(file);
  return withSignals(await openSqlite(file, { signals, waitMs: config.databaseWaitMs }), signals);
}

const withSignals = (store: Store, signals: Signals): Database => ({
  ...store,
  listen: (heard, options) => signals.listen(heard, options),
  close: async () => {
    await signals.close();
    await store.close();
  },
});
