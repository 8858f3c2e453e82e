import type { Registry } from "prom-client";
import { readBackupState } from "../backup/state.ts";
import type { Services } from "../services.ts";
import { addMetric } from "./add-metric.ts";

type State = Awaited<ReturnType<typeof readBackupState>>;

/** The metrics of backups; they have no value while the database cannot be read. */
export function addBackupMetrics(
  registry: Registry,
  { config, database }: Pick<Services, "config" | "database">,
): void {
  const add = (name: string, help: string, read: (state: State) => number) =>
    addMetric(registry, name, help, async () => {
      const state = await readBackupState(database.read).catch(() => undefined);
      return state ? [{ value: read(state) }] : [];
    });
  add("svc_backup_scheduled", "1 if SVC_BACKUP_DIR is set.", () => (config.backupDir === undefined ? 0 : 1));
  add("svc_backup_age_seconds", "Age of the last good backup; +Inf if there is none.", ({ lastGood }) =>
    lastGood ? Math.max(0, Date.now() - lastGood.started_at) / 1000 : Number.POSITIVE_INFINITY,
  );
  add(
    "svc_backup_last_success_timestamp_seconds",
    "Time of the last good backup; 0 if there is none.",
    ({ lastGood }) => (lastGood?.started_at ?? 0) / 1000,
  );
  add("svc_backup_last_duration_seconds", "How long the last good backup took.", ({ lastGood }) =>
    lastGood ? (lastGood.finished_at - lastGood.started_at) / 1000 : 0,
  );
  add("svc_backup_last_bytes", "Size of the last good backup.", ({ lastGood }) => lastGood?.bytes ?? 0);
  add("svc_backup_failing", "1 if the last attempt of a backup failed.", ({ failure }) => (failure ? 1 : 0));
}
