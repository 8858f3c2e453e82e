/**
 * A write that was kept as a suggestion: it asked for that (`mode=suggest`), the token may only suggest, or it could not be
 * merged with what somebody was typing.
 */
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

interface Noted {
  readonly warnings?: Warnings;
  readonly merged?: boolean | undefined;
}

/** Notices about a write in sentences: that it was merged, and what a suggestion could not hold. */
export const notesOf = ({ warnings = [], merged }: Noted): readonly string[] => [
  ...(merged ? ["Merged with what somebody typed there meanwhile."] : []),
  ...warnings.filter(({ code }) => code === "properties_left_out").map(({ message }) => message),
];
