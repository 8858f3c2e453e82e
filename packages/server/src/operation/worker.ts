/** What a process knows when it serves together with others on one port. */
export interface Worker {
  /** Which of them it is, from 1. */
  readonly number: number;
  /** Takes what tells this process's own figures, and gives back what asks for those of all. */
  shareMetrics(own: () => Promise<string>): () => Promise<string>;
}
