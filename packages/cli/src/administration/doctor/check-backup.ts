import { readBackupState } from "@svc/server/backup/state";
import type { Check } from "./finding.ts";

const HOUR_MS = 3_600_000;
/** A daily backup, and some hours for one that took long. */
const MAX_AGE_MS = 36 * HOUR_MS;

const ADVICE = "Set SVC_BACKUP_DIR, and the server makes a backup every day; or run svc backup from a timer.";

export const checkBackup: Check = async ({ database }) => {
  const check = "backup";
  if (database === undefined) return [{ check, state: "off", message: "There is nothing to back up yet." }];
  const { lastGood, failure } = await readBackupState(database.read);
  if (failure) {
    const message = `The last backup failed: ${failure.message}`;
    return [{ check, state: "error", message, advice: "Remove the cause; the server tries again by itself." }];
  }
  if (!lastGood) return [{ check, state: "warning", message: "There is no backup yet.", advice: ADVICE }];
  const age = Date.now() - lastGood.started_at;
  const message = `The last good backup is ${Math.max(0, Math.round(age / HOUR_MS))} hours old.`;
  return [age > MAX_AGE_MS ? { check, state: "error", message, advice: ADVICE } : { check, state: "ok", message }];
};
