/** One line for the shell: what to insert, and what it means. */
export interface Suggestion {
  readonly value: string;
  readonly meaning?: string;
}
