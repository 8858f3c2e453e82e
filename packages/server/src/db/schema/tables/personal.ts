/** What one person keeps for themselves about one document. A row has at least one of the two times. */
export interface PersonalDocumentRow {
  workspace_id: string;
  user_id: string;
  document_id: string;
  viewed_at: number | null;
  favourite_at: number | null;
}
