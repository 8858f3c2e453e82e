/** A write that was kept as a suggestion: it asked for that (`mode=suggest`), or the token may only suggest. */
export interface Suggested {
  /** Null of a dry run, which keeps nothing. */
  readonly suggestion_id: string | null;
  /** The document's, which stays as it is. */
  readonly version: string;
  /** Blocks that change when all of it is accepted. */
  readonly changed_block_ids: readonly string[];
  readonly warnings?: Warnings;
}

type Warnings = readonly { readonly code: string; readonly message: string }[];

/** Whether a write was kept as a suggestion, so that the document has not changed. */
export const isSuggested = <Answer extends object>(answer: Answer | Suggested): answer is Suggested =>
  "suggestion_id" in answer;

/** What a suggestion could not hold of what was sent, in sentences for people. */
export const leftOut = ({ warnings = [] }: { readonly warnings?: Warnings }): readonly string[] =>
  warnings.filter(({ code }) => code === "properties_left_out").map(({ message }) => message);
