type JobStatus = "pending" | "running" | "succeeded" | "failed" | "obsolete";

export interface JobRow {
  workspace_id: string;
  id: string;
  kind: string;
  status: JobStatus;
  /** The job's input; JSON. */
  payload: string;
  /** The job's progress; JSON. */
  progress: string;
  result: string | null;
  /** `{code, message}`, JSON. */
  error: string | null;
  /** Attempts that were started, whatever their outcome. */
  attempts: number;
  /** Attempts during which the process died. */
  crashes: number;
  /** For a pending job: the earliest time to start. */
  ready_at: number;
  created_by: string;
  created_at: number;
  finished_at: number | null;
}
