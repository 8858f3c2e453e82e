import type { Tx } from "../db/database.ts";

/** Makes every process and every open connection load the rights of the workspace's members again. */
export const renewRights = (tx: Tx, workspaceId: string) =>
  tx
    .updateTable("workspaces")
    .set((eb) => ({ rights_version: eb("rights_version", "+", 1) }))
    .where("id", "=", workspaceId)
    .execute();
