/** One person's private data about one document. A row has at least one of the two times. */
export interface PersonalDocumentRow {
  workspace_id: string;
  user_id: string;
  document_id: string;
  viewed_at: number | null;
  favourite_at: number | null;
}

/** When a person last looked at changes, by a name that they chose. */
export interface VisitRow {
  workspace_id: string;
  user_id: string;
  name: string;
  at: number;
}
