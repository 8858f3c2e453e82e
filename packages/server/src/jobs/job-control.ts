/** The means by which a running job hears from and reports to its runner. */
export interface JobControl {
  /** Aborts when the process stops or another process has taken the job over. */
  readonly signal: AbortSignal;
  /** Stores the progress that the job's GET endpoint shows. */
  report(progress: Readonly<Record<string, unknown>>): Promise<void>;
}
