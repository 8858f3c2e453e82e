import type { ExpressionBuilder } from "kysely";
import type { Reader, Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import type { Tables } from "../db/schema/tables.ts";
import { notFound } from "../errors.ts";

export interface NewJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly createdBy: string;
}

/** Appends a job; the runner of this process is woken when it is committed. */
export async function insertJob(tx: Tx, job: NewJob, wake: () => void): Promise<JobRow> {
  const now = Date.now();
  const row: JobRow = {
    workspace_id: job.workspaceId,
    id: job.id,
    kind: job.kind,
    status: "pending",
    payload: JSON.stringify(job.payload),
    progress: "{}",
    result: null,
    error: null,
    attempts: 0,
    lease_owner: null,
    ready_at: now,
    created_by: job.createdBy,
    created_at: now,
    finished_at: null,
  };
  await tx.insertInto("jobs").values(row).execute();
  tx.afterCommit(wake);
  return row;
}

export async function getJob(db: Reader, workspaceId: string, id: string, kind: string): Promise<JobRow> {
  const row = await db
    .selectFrom("jobs")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if (!row) throw notFound(kind, id);
  return row;
}

/** Leases and pauses are shorter than this. What lies further ahead was set before the clock was put back. */
const FARTHEST_MS = 60_000;
const isReady = (now: number) => (eb: ExpressionBuilder<Tables, "jobs">) =>
  eb.or([eb("ready_at", "<=", now), eb("ready_at", ">", now + FARTHEST_MS)]);

/** Jobs of these kinds that wait, or whose process has not renewed its lease. */
export const listReady = (db: Reader, kinds: readonly string[], now: number, limit: number) =>
  db
    .selectFrom("jobs")
    .select(["workspace_id", "id"])
    .where("status", "in", ["pending", "running"])
    .where(isReady(now))
    .where("kind", "in", kinds)
    .orderBy("ready_at")
    .limit(limit)
    .execute();

/** Takes a job for a process, unless another was faster. */
export const claimJob = (
  tx: Tx,
  key: { workspace_id: string; id: string },
  owner: string,
  now: number,
  until: number,
): Promise<JobRow | undefined> =>
  tx
    .updateTable("jobs")
    .set((eb) => ({ status: "running", lease_owner: owner, ready_at: until, attempts: eb("attempts", "+", 1) }))
    .where("workspace_id", "=", key.workspace_id)
    .where("id", "=", key.id)
    .where("status", "in", ["pending", "running"])
    .where(isReady(now))
    .returningAll()
    .executeTakeFirst();

/** Changes a job that this process still holds; false when it was lost. */
export async function updateHeld(tx: Tx, job: JobRow, changes: Partial<JobRow>): Promise<boolean> {
  const row = await tx
    .updateTable("jobs")
    .set(changes)
    .where("workspace_id", "=", job.workspace_id)
    .where("id", "=", job.id)
    .where("status", "=", "running")
    .where("lease_owner", "=", job.lease_owner)
    .where("attempts", "=", job.attempts)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
