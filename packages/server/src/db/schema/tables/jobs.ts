export type JobStatus = "pending" | "running" | "succeeded" | "failed" | "obsolete";

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
  attempts: number;
  /** The process that runs it. */
  lease_owner: string | null;
  /** Pending: not before this. Running: the lease ends then, and another process may take it. */
  ready_at: number;
  created_by: string;
  created_at: number;
  finished_at: number | null;
}
