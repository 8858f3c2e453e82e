import { messageOf } from "@svc/document/thrown";
import { hasCome } from "../background/due.ts";
import type { Lease } from "../background/lease.ts";
import { Loop } from "../background/loop.ts";
import { type BackupPlace, openBackupPlace } from "../backup/place.ts";
import { runBackup } from "../backup/run-backup.ts";
import { BACKUP_LEASE, removeExpired } from "../backup/save.ts";
import { readBackupState, recordBackup, recordFailure } from "../backup/state.ts";
import { withWorkFolder } from "../backup/work-folder.ts";
import type { Reader } from "../db/database.ts";
import type { Services } from "../services.ts";
import { DAY_MS } from "../time.ts";

const FIRST_MS = 2000;
const PAUSE_MS = 60_000;
/** The pause of a process after a backup that failed. */
const RETRY_MS = 15 * 60_000;

type Work = Pick<Services, "config" | "database" | "leases" | "log">;

/** Whether a day has passed since the last scheduled backup began, or the place is a new one. */
async function isBackupDue(db: Reader, place: BackupPlace, now: number): Promise<boolean> {
  const { lastScheduled } = await readBackupState(db);
  return lastScheduled?.place !== place.shown || hasCome(lastScheduled.started_at + DAY_MS, now, DAY_MS);
}

async function backUp({ config, database, log }: Work, place: BackupPlace, signal: AbortSignal): Promise<void> {
  try {
    const { good, attachments } = await withWorkFolder(config.dataDir, "backup", (work) =>
      runBackup({ config, work }, signal),
    );
    await recordBackup(database, good, true);
    const { place: shown, name, bytes, finished_at, started_at } = good;
    log.info({ place: shown, name, bytes, attachments, duration_ms: finished_at - started_at }, "backup saved");
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error, place: place.shown }, "backup failed");
    await recordFailure(database, { at: Date.now(), message: messageOf(error) });
    throw error;
  }
  const removed = await removeExpired(place, config.backupKeep).catch((error) => {
    log.warn({ err: error, place: place.shown }, "removing old backups failed");
    return [];
  });
  if (removed.length > 0) log.info({ place: place.shown, removed }, "old backups removed");
}

/** Makes a backup every day, by one process at a time. */
export function startBackups(services: Work): () => void | Promise<void> {
  const { config, database, leases, log } = services;
  const place = openBackupPlace(config, process.env);
  if (!place) return () => undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const hold = async (lease: Lease) => {
    if (!(await isBackupDue(database.read, place, Date.now()))) return;
    await backUp(services, place, AbortSignal.any([lease.lost, loop.signal]));
  };
  const loop: Loop = new Loop({
    round: async () => {
      if (performance.now() < failedAt + RETRY_MS) return;
      if (!(await isBackupDue(database.read, place, Date.now()))) return;
      await leases.during(BACKUP_LEASE, hold);
    },
    firstAfterMs: FIRST_MS,
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => {
      failedAt = performance.now();
      log.warn({ err: error }, "the backup is tried again later");
    },
  });
  return loop.stop;
}
