import type { Db } from "../../db/database.ts";
import { ownedTableNames } from "./owned-tables.ts";

/** Removes the stored parts of a few deleted documents. True when there may be more. */
export async function purgeSome(tx: Db, limit: number): Promise<boolean> {
  const gone = await tx.selectFrom("purges").selectAll().limit(limit).execute();
  for (const { workspace_id, document_id } of gone) {
    const taken = await tx
      .deleteFrom("purges")
      .where("workspace_id", "=", workspace_id)
      .where("document_id", "=", document_id)
      .returning("document_id")
      .executeTakeFirst();
    if (!taken) continue;
    for (const table of ownedTableNames)
      await tx
        .deleteFrom(table)
        .where("workspace_id", "=", workspace_id)
        .where("document_id", "=", document_id)
        .execute();
  }
  return gone.length === limit;
}
