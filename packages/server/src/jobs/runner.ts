import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { type Lease, LeaseLost } from "../background/lease.ts";
import { Loop } from "../background/loop.ts";
import type { Tx } from "../db/database.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import type { Services } from "../services.ts";
import { failed, type JobEnd, type JobKind } from "./job.ts";
import { beginAttempt, LONGEST_PAUSE_MS, leaseName, listReady, updateJob } from "./queries.ts";

const POLL_MS = 500;
const CONCURRENCY = 4;
const RETRIES = { attempts: 5, longestPauseMs: 60_000 } as const;
/** The number of processes that may die while they run a job before the job is blamed for it. */
const MAX_CRASHES = 2;
const DRAIN_MS = 5_000;
const GIVE_BACK_AGAIN_MS = 1000;

type Held = JobRow & { readonly lease: Lease };

/**
 * Runs background jobs of this process. A job is held by a lease: two processes never run it at once, and another
 * process takes over the job of one that died.
 */
export class JobRunner {
  readonly #app: Services;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #running = new Map<Promise<void>, Held>();
  #loop: Loop | undefined;

  constructor(app: Services, kinds: readonly JobKind[]) {
    this.#app = app;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  start(): void {
    this.#loop = new Loop({
      round: () => this.#takeSome(),
      pauseMs: POLL_MS,
      firstAfterMs: 0,
      failed: (error) => this.#app.log.warn({ err: error }, "looking for jobs failed"),
    });
  }

  wake = (): void => this.#loop?.wake();

  /** Takes no more jobs, gives the running ones some time to end, then gives them back. */
  async close(): Promise<void> {
    await this.#loop?.stop();
    await Promise.race([Promise.allSettled([...this.#running.keys()]), sleep(DRAIN_MS, undefined, { ref: false })]);
    await Promise.allSettled([...this.#running.values()].map((job) => this.#giveBack(job)));
  }

  async #takeSome(): Promise<void> {
    const room = CONCURRENCY - this.#running.size;
    if (room <= 0 || this.#kinds.size === 0) return;
    for (const key of await listReady(this.#app.database.read, [...this.#kinds.keys()], Date.now(), room))
      if (this.#mayStart(key)) await this.#take(key);
  }

  /** A job that may have crashed a process runs alone, so that no other job is blamed if it does so again. */
  #mayStart({ crashes }: Pick<JobRow, "crashes">): boolean {
    const isSuspectRunning = [...this.#running.values()].some((job) => job.crashes > 0);
    return this.#running.size === 0 || (crashes === 0 && !isSuspectRunning);
  }

  async #take(key: Pick<JobRow, "workspace_id" | "id">): Promise<void> {
    const taken = await this.#app.leases.take(leaseName(key), (tx) => beginAttempt(tx, key));
    if (!taken) return;
    const job = { ...taken.claimed, lease: taken.lease };
    const work = this.#work(job).finally(() => {
      taken.lease.forget();
      this.#running.delete(work);
      this.wake();
    });
    this.#running.set(work, job);
  }

  async #work(job: Held): Promise<void> {
    try {
      await this.#finish(job, job.crashes >= MAX_CRASHES ? await this.#giveUp(job) : await this.#perform(job));
    } catch (error) {
      if (isLost(job, error)) return;
      if (!this.#isStopping) this.#app.log.error({ err: error, job_id: job.id, kind: job.kind }, "job failed");
      await this.#giveBack(job);
    }
  }

  async #perform(job: Held): Promise<(tx: Tx) => Promise<JobEnd>> {
    const report = (progress: Readonly<Record<string, unknown>>) =>
      this.#app.database.transaction(async (tx) => {
        await job.lease.hold(tx);
        await updateJob(tx, job, { progress: JSON.stringify(progress) });
      });
    const signal = AbortSignal.any([job.lease.lost, defined(this.#loop).signal]);
    return defined(this.#kinds.get(job.kind)).run(job, this.#app, { signal, report });
  }

  async #giveUp(job: Held): Promise<(tx: Tx) => Promise<JobEnd>> {
    this.#app.log.error({ job_id: job.id, kind: job.kind }, "a job was abandoned: processes died while they ran it");
    await defined(this.#kinds.get(job.kind)).abandon?.(job, this.#app);
    const message = `The server ended ${job.crashes} times while it ran this job. It is not tried again.`;
    return async () => failed("process_ended", message);
  }

  /** The effect and the job's end commit together, and only while this process still holds the job. */
  async #finish(job: Held, commit: (tx: Tx) => Promise<JobEnd>): Promise<void> {
    await this.#app.database.transaction(async (tx) => {
      await job.lease.release(tx);
      await updateJob(tx, job, ended(await commit(tx)));
    });
  }

  /** After an unexpected failure, retries later, a few times. After a stop, restores the state before the attempt. */
  async #giveBack(job: Held): Promise<void> {
    for (;;)
      try {
        if (this.#isStopping || job.attempts < this.#retriesOf(job).attempts)
          return await this.#release(job, this.#waiting(job));
        await defined(this.#kinds.get(job.kind)).abandon?.(job, this.#app);
        return await this.#release(job, ended(failed("internal_error", "Something went wrong on our side.")));
      } catch (error) {
        if (isLost(job, error)) return;
        this.#app.log.warn({ err: error, job_id: job.id }, "releasing the job failed");
        if (this.#isStopping) return;
        await sleep(GIVE_BACK_AGAIN_MS, undefined, { ref: false });
      }
  }

  #waiting(job: Held): Partial<JobRow> {
    const status = "pending";
    if (this.#isStopping) return { status, ready_at: Date.now(), attempts: job.attempts - 1 };
    const pauseMs = Math.min(1000 * 2 ** job.attempts, this.#retriesOf(job).longestPauseMs, LONGEST_PAUSE_MS);
    return { status, ready_at: Date.now() + pauseMs };
  }

  #retriesOf({ kind }: Pick<JobRow, "kind">): NonNullable<JobKind["retries"]> {
    return this.#kinds.get(kind)?.retries ?? RETRIES;
  }

  #release(job: Held, changes: Partial<JobRow>): Promise<void> {
    return this.#app.database.transaction(async (tx) => {
      await job.lease.release(tx);
      await updateJob(tx, job, changes);
    });
  }

  get #isStopping(): boolean {
    return this.#loop?.signal.aborted ?? true;
  }
}

const isLost = ({ lease }: Held, error: unknown): boolean => error instanceof LeaseLost || lease.isEnded;

const ended = (end: JobEnd): Partial<JobRow> => ({
  status: end.status,
  result: end.result === undefined ? null : JSON.stringify(end.result),
  error: end.error === undefined ? null : JSON.stringify(end.error),
  finished_at: Date.now(),
});
