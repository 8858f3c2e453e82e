/** Names a document of the store. */
export interface DocumentKey {
  readonly workspaceId: string;
  readonly documentId: string;
}
