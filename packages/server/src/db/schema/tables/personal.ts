/** What one person keeps for themselves about one document. A row has at least one of the two times. */
export interface PersonalDocumentRow {
  workspace_id: string;
  user_id: string;
  document_id: string;
  viewed_at: number | null;
  favourite_at: number | null;
}

/** When a person last looked at what had changed, by the name they gave it. */
export interface VisitRow {
  workspace_id: string;
  user_id: string;
  name: string;
  at: number;
}
