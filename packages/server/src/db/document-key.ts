import type { WriteOptions } from "./database.ts";

/** Names a document of the store. */
export interface DocumentKey {
  readonly workspaceId: string;
  readonly documentId: string;
}

/** Folds of one document wait for its edits, and share commits with other folds of the workspace. */
export const amongFolds = ({ workspaceId, documentId }: DocumentKey): WriteOptions => ({
  queueKey: `${workspaceId} /documents/${documentId}`,
  group: `${workspaceId} folds`,
  isPatient: true,
});

/** Updates of live documents share commits with each other alone, so that typing never waits for a fold elsewhere. */
export const amongUpdates = ({ workspaceId, documentId }: DocumentKey): WriteOptions => ({
  queueKey: `${workspaceId} live ${documentId}`,
  group: `${workspaceId} live`,
});
