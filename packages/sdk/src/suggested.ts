/** A write that was kept as a suggestion: it asked for that (`mode=suggest`), or the token may only suggest. */
export interface Suggested {
  readonly suggestion_id: string;
}

/** Whether a write was kept as a suggestion, so that the document has not changed. */
export const isSuggested = <Answer extends object>(answer: Answer | Suggested): answer is Suggested =>
  "suggestion_id" in answer;
