type JobStatus = "pending" | "running" | "succeeded" | "failed" | "obsolete";

export interface JobRow {
  workspace_id: string;
  id: string;
  kind: string;
  status: JobStatus;
  /** What to do; JSON. */
  payload: string;
  /** How far it is; JSON. */
  progress: string;
  result: string | null;
  /** `{code, message}`, JSON. */
  error: string | null;
  /** Begun, whatever came of them. */
  attempts: number;
  /** Attempts during which their process ended. */
  crashes: number;
  /** Pending: not before this. */
  ready_at: number;
  created_by: string;
  created_at: number;
  finished_at: number | null;
}
