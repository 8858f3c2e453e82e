import { importPage } from "@svc/web/server/pages/library/import";
import { apiError } from "../../../errors.ts";
import { canWrite, get, show } from "../visit.ts";

export const importPages = [
  get("/import", async (visit) => {
    if (!canWrite(visit)) throw apiError("insufficient_role", { role: visit.viewer.workspace.role });
    return show(importPage());
  }),
];
