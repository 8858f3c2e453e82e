import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database, Store } from "./database.ts";
import { bindSignals, type Signals } from "./signals.ts";
import { openSqlite } from "./sqlite.ts";
import { SqliteSignals } from "./sqlite-signals.ts";

export const sqliteFile = (config: Pick<Config, "dataDir">): string => join(config.dataDir, "svc.db");

/** Opens the store that the settings name and brings its schema up to date. */
export async function connect(
  config: Pick<Config, "dataDir" | "databaseUrl">,
  log: { warn(details: object, message: string): void },
): Promise<Database> {
  if (config.databaseUrl) {
    // Loaded only when it is used: most starts are on SQLite.
    const { openPostgres } = await import("./postgres.ts");
    const { PostgresSignals } = await import("./postgres-signals.ts");
    return withSignals(await openPostgres(config.databaseUrl, log), new PostgresSignals(config.databaseUrl, log));
  }
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = sqliteFile(config);
  return withSignals(await openSqlite(file), new SqliteSignals(file));
}

const withSignals = (store: Store, signals: Signals): Database => ({
  ...store,
  listen: (heard) => signals.listen(heard),
  transaction: (work) =>
    store.transaction((tx) => {
      bindSignals(tx, signals);
      return work(tx);
    }),
  close: async () => {
    await signals.close();
    await store.close();
  },
});
