import type { Reader } from "../db/database.ts";

/** What a workspace holds, as the ledger has counted it. */
export const getCounters = (db: Reader, workspaceId: string) =>
  db.selectFrom("workspace_counters").selectAll().where("workspace_id", "=", workspaceId).executeTakeFirstOrThrow();
