import { TOKENIZER_VERSION } from "@svc/search/text/tokenizer";
import type { Database, Tx } from "../../../db/database.ts";
import { newStamp } from "../read/stored-index.ts";

/**
 * Begins a rebuild of a workspace's index: every document is stale from now on and is indexed again in the background,
 * in small steps. A caller in another process than the server's need not notify it, because the server checks for
 * itself.
 */
export async function requestReindex(tx: Tx, workspaceId: string): Promise<void> {
  await tx
    .updateTable("search_counters")
    .set((eb) => ({
      epoch: eb("epoch", "+", 1),
      epoch_base: eb.ref("next_number"),
      tokenizer_version: TOKENIZER_VERSION,
      blocks: 0,
      total_length: 0,
      level_zero: 0,
      backlog: 1,
      stamp: newStamp(),
    }))
    .where("workspace_id", "=", workspaceId)
    .execute();
}

/** Rebuilds indexes that an older version of this program has made. */
export async function reindexOutdated(database: Database): Promise<void> {
  const rows = await database.read
    .selectFrom("search_counters")
    .select("workspace_id")
    .where("tokenizer_version", "<", TOKENIZER_VERSION)
    .execute();
  for (const { workspace_id } of rows)
    await database.transaction(async (tx) => {
      const row = await tx
        .updateTable("search_counters")
        .set({ tokenizer_version: TOKENIZER_VERSION })
        .where("workspace_id", "=", workspace_id)
        .where("tokenizer_version", "<", TOKENIZER_VERSION)
        .returning("workspace_id")
        .executeTakeFirst();
      if (row) await requestReindex(tx, workspace_id);
    });
}
