import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import { BackupError } from "./backup/backup-error.ts";
import type { TableDigest } from "./backup/stored-rows.ts";
import { sqliteFile } from "./connect.ts";
import { currentSchema } from "./schema/migrate.ts";
import { copyFile, isEmptyFile, makeSelfContained, replaceFile } from "./sqlite/backup/copy-store.ts";
import { digestFile, listTables, rowsOf, writeRows } from "./sqlite/backup/rows.ts";
import { migrateFile } from "./sqlite/open.ts";

/** The database of a store as one file, whichever database it is on. */
interface StoreCopy {
  /** Whether there is nothing that a restore would replace. */
  isEmpty(): Promise<boolean>;
  /** Writes the store as of one instant into a new file, and returns what its tables contained. */
  write(file: string): Promise<ReadonlyMap<string, TableDigest>>;
  /** Replaces the store in one step by a file that has the current schema. */
  replaceBy(file: string): Promise<void>;
}

export const storeCopy = (config: Pick<Config, "dataDir" | "databaseUrl" | "databaseWaitMs">): StoreCopy =>
  config.databaseUrl ? copyOfServer(config.databaseUrl, config.databaseWaitMs) : copyOfFile(sqliteFile(config));

const copyOfFile = (live: string): StoreCopy => ({
  isEmpty: async () => isEmptyFile(live),
  write: async (file) => {
    await copyFile(live, file);
    const database = new DatabaseSync(file);
    try {
      return digestFile(database);
    } finally {
      database.close();
    }
  },
  replaceBy: (file) => replaceFile(file, live),
});

/** Its driver is imported only when used. */
const server = () => import("./postgres/copy-store.ts");

const copyOfServer = (url: string, waitMs: number): StoreCopy => ({
  isEmpty: async () => (await server()).isEmptyServer(url),
  write: async (file) => {
    await migrateFile(file);
    const { readServer } = await server();
    const digests = await readServer(url, (rows, schema) => {
      const known = currentSchema();
      if (schema !== known)
        throw new BackupError(
          `The store has the schema ${schema}, this release ${known}: back it up with the release that serves it.`,
        );
      return writeRows(file, rows);
    });
    makeSelfContained(file);
    return digests;
  },
  replaceBy: async (file) => {
    const { openPostgres } = await import("./postgres/open.ts");
    await (await openPostgres(url, { warn: () => undefined }, { waitMs })).close();
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      await (await server()).replaceServer(url, listTables(database), rowsOf(database));
    } finally {
      database.close();
    }
  },
});
