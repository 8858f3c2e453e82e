import { usagePage } from "@svc/web/pages/workspace/usage";
import { readQuota } from "../../resources/me/read-quota.ts";
import { get, show } from "../visit.ts";

export const usagePages = [
  get("/usage", async ({ app, viewer }) => {
    const now = Date.now();
    const quota = await readQuota(app.database.read, viewer.workspace.id, app.config, now);
    return show(usagePage({ workspaceName: viewer.workspace.name, quota, now }));
  }),
];
