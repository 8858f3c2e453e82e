import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

export const sqliteFile = (config: Pick<Config, "dataDir">): string => join(config.dataDir, "svc.db");

/** Opens the store that the settings name and brings its schema up to date. */
export async function connect(
  config: Pick<Config, "dataDir" | "databaseUrl">,
  log: { warn(details: object, message: string): void },
): Promise<Database> {
  if (config.databaseUrl) {
    // Loaded only when it is used: most starts are on SQLite.
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(config.databaseUrl, log);
  }
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(sqliteFile(config));
}
