import type { Tx } from "../../db/database.ts";

/**
 * Moves and deletions of folders, and what restores them, go one after the other in a workspace: so two moves can never
 * close a cycle together.
 */
export const lockStructure = (tx: Tx, workspaceId: string) => tx.lock("workspace", workspaceId, workspaceId);
