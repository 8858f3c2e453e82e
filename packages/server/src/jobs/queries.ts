import { isDue } from "../background/due.ts";
import type { Reader, Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import { notFound } from "../errors.ts";
import { quotaExceeded } from "../quota-error.ts";

interface NewJob {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly createdBy: string;
}

/** Appends a job; wakes the runner of this process after the commit. */
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
    crashes: 0,
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

/** The longest pause. */
export const LONGEST_PAUSE_MS = 15 * 60_000;

export const leaseName = ({ id }: Pick<JobRow, "id">): string => `job:${id}`;

/** Jobs of these kinds that wait, or whose process has died. */
export const listReady = (db: Reader, kinds: readonly string[], now: number, limit: number) =>
  db
    .selectFrom("jobs as j")
    .select(["workspace_id", "id", "crashes"])
    .where("j.status", "in", ["pending", "running"])
    .where((eb) => eb.or([eb("j.status", "=", "running"), isDue("j.ready_at", now, LONGEST_PAUSE_MS)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("leases as l")
            .select("l.name")
            .where("l.name", "=", eb(eb.val(leaseName({ id: "" })), "||", eb.ref("j.id"))),
        ),
      ),
    )
    .where("j.kind", "in", kinds)
    .orderBy("j.ready_at")
    .limit(limit)
    .execute();

/**
 * Begins an attempt, in the transaction that takes the job's lease. Resets the progress of the previous attempt. A job
 * that is still running was started by a process that died.
 */
export const beginAttempt = (tx: Tx, key: Pick<JobRow, "workspace_id" | "id">): Promise<JobRow | undefined> =>
  tx
    .updateTable("jobs")
    .set((eb) => ({
      status: "running",
      progress: "{}",
      attempts: eb("attempts", "+", 1),
      crashes: eb("crashes", "+", eb.case().when("status", "=", "running").then(1).else(0).end()),
    }))
    .where("workspace_id", "=", key.workspace_id)
    .where("id", "=", key.id)
    .where("status", "in", ["pending", "running"])
    .returningAll()
    .executeTakeFirst();

/** Updates a job. The transaction must hold its lease. */
export const updateJob = (tx: Tx, job: Pick<JobRow, "workspace_id" | "id">, changes: Partial<JobRow>) =>
  tx.updateTable("jobs").set(changes).where("workspace_id", "=", job.workspace_id).where("id", "=", job.id).execute();

/**
 * Refuses a job beyond the limit of unfinished ones. Called first in a transaction, where simultaneous callers wait for
 * each other.
 */
export async function checkWaitingJobs(tx: Tx, workspaceId: string, kind: string, limit: number): Promise<void> {
  await tx.lock("workspace", workspaceId, workspaceId);
  const used = await countUnended(tx, workspaceId, kind);
  if (used >= limit) throw quotaExceeded("jobs", limit, used);
}

/** Jobs of a kind that wait or run. */
export async function countUnended(db: Reader, workspaceId: string, kind: string): Promise<number> {
  const rows = await db
    .selectFrom("jobs")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", kind)
    .where("status", "in", ["pending", "running"])
    .execute();
  return rows.length;
}
