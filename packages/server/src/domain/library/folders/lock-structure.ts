import type { Tx } from "../../../db/database.ts";

/**
 * Serializes moves, deletions and restores of folders in a workspace, so that two moves cannot close a cycle together.
 */
export const lockStructure = (tx: Tx, workspaceId: string) => tx.lock("workspace", workspaceId, workspaceId);
