import type { Tx } from "../../db/database.ts";

/**
 * Moves and deletions of folders, and what restores them, go one after the other in a workspace: so two moves can never
 * close a cycle together. Whoever needs several locks takes them in this order, and nobody waits in a circle: structure,
 * folders, bodies, documents, knowledge bases, counters.
 */
export const lockStructure = (tx: Tx, workspaceId: string) =>
  tx
    .updateTable("workspaces")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", workspaceId)
    .execute();
