import { MAX_WAIT_MS, type Store } from "../database.ts";
import { makePrivateFile } from "../private-files.ts";
import { migrate } from "../schema/migrate.ts";
import type { ColumnTypes } from "../schema/migration.ts";
import { NO_SIGNALS, type Signals } from "../signals.ts";
import { onePerText } from "../statement/lookup.ts";
import { makeReader } from "../transaction/transaction.ts";
import { kyselyOver, SqliteConnection, statementsOver } from "./connection.ts";
import { RowCache } from "./row-cache.ts";
import { SnapshotReaders } from "./snapshots.ts";
import { SqliteWriter } from "./writer.ts";

export async function openSqlite(
  file: string,
  { signals = NO_SIGNALS, waitMs = MAX_WAIT_MS }: { signals?: Pick<Signals, "announce">; waitMs?: number } = {},
): Promise<Store> {
  await migrateFile(file);
  const reader = new SqliteConnection(file, { readOnly: true });
  const rowCache = new RowCache(reader);
  const writer = new SqliteWriter(file, rowCache.askAgain, signals, waitMs);
  const snapshots = new SnapshotReaders(file);
  const kysely = kyselyOver(reader);
  const lookup = onePerText(rowCache.lookup);
  const statements = { ...statementsOver(reader), runShared: rowCache.run, runBatched: rowCache.run };
  return {
    read: makeReader(kysely, statements, lookup),
    transaction: (work, { group } = {}) => writer.run(work, group !== undefined),
    snapshot: (work) => snapshots.run(work),
    tables: () => kysely.introspection.getTables(),
    close: async () => {
      await writer.close();
      reader.close();
      snapshots.close();
    },
  };
}

/** Uses its own connection, which waits for other processes that migrate. */
export async function migrateFile(file: string): Promise<void> {
  makePrivateFile(file);
  const connection = new SqliteConnection(file, { readOnly: false });
  connection.raw.exec("pragma busy_timeout = 30000; pragma journal_mode = wal");
  try {
    const types: ColumnTypes = {
      integer: "integer",
      bytes: "blob",
      identity: (column) => column.primaryKey().autoIncrement(),
      keepInRow: async () => undefined,
      packQuickly: async () => undefined,
    };
    await migrate(kyselyOver(connection), types);
  } finally {
    connection.close();
  }
}
