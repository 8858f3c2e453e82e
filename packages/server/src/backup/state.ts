import type { Database, Reader, Tx } from "../db/database.ts";

/** A good backup. Times in ms. */
export interface GoodBackup {
  readonly started_at: number;
  readonly finished_at: number;
  /** The folder, bucket or file, without keys. */
  readonly place: string;
  readonly name: string;
  readonly bytes: number;
}

interface FailedBackup {
  readonly at: number;
  readonly message: string;
}

/** How the last backups of a store ended: rows of `server_state` that hold JSON. */
interface BackupState {
  /** The last good backup, scheduled or by hand. */
  readonly lastGood: GoodBackup | undefined;
  readonly lastScheduled: GoodBackup | undefined;
  /** Only if it is later than the last good backup. */
  readonly failure: FailedBackup | undefined;
}

const KEYS = { lastGood: "backup_last_good", lastScheduled: "backup_last_scheduled", failure: "backup_last_failure" };

export async function readBackupState(db: Reader): Promise<BackupState> {
  const rows = await db
    .selectFrom("server_state")
    .select(["key", "value"])
    .where("key", "in", Object.values(KEYS))
    .execute();
  const find = (key: string) => {
    const row = rows.find((one) => one.key === key);
    return row && JSON.parse(row.value);
  };
  return {
    lastGood: find(KEYS.lastGood),
    lastScheduled: find(KEYS.lastScheduled),
    failure: find(KEYS.failure),
  };
}

const put = (tx: Tx, key: string, value: object) => {
  const row = { key, value: JSON.stringify(value) };
  return tx
    .insertInto("server_state")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
    .execute();
};

export const recordBackup = (database: Database, good: GoodBackup, isScheduled: boolean): Promise<void> =>
  database.transaction(async (tx) => {
    await put(tx, KEYS.lastGood, good);
    if (isScheduled) await put(tx, KEYS.lastScheduled, good);
    await tx.deleteFrom("server_state").where("key", "=", KEYS.failure).execute();
  });

export const recordFailure = (database: Database, failure: FailedBackup): Promise<void> =>
  database.transaction(async (tx) => {
    await put(tx, KEYS.failure, failure);
  });
