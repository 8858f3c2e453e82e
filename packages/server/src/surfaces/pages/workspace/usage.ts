import { usagePage } from "@svc/web/server/pages/workspace/usage";
import { readBackupState } from "../../../backup/state.ts";
import { readQuota } from "../../../domain/identity/me/read-quota.ts";
import type { Services } from "../../../services.ts";
import { get, show } from "../visit.ts";

/** For owners: when the whole server was last backed up, without the place. */
async function backupOf({ config, database }: Services) {
  const { lastGood, failure } = await readBackupState(database.read);
  return {
    isScheduled: config.backupDir !== undefined,
    at: lastGood?.started_at,
    bytes: lastGood?.bytes,
    failedAt: failure?.at,
  };
}

export const usagePages = [
  get("/usage", async ({ app, viewer }) => {
    const now = Date.now();
    const quota = await readQuota(app.database.read, viewer.workspace.id, app.config, now);
    const backup = viewer.workspace.role === "owner" ? await backupOf(app) : undefined;
    return show(usagePage({ workspaceName: viewer.workspace.name, quota, backup, now }));
  }),
];
