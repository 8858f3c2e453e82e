import type { Reader } from "../db/database.ts";

/** The totals of a workspace, as the ledger has counted them. */
export const getCounters = (db: Reader, workspaceId: string) =>
  db.selectFrom("workspace_counters").selectAll().where("workspace_id", "=", workspaceId).executeTakeFirstOrThrow();
