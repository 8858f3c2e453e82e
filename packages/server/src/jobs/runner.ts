import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import type { Services } from "../services.ts";
import { failed, type JobEnd, type JobKind } from "./job.ts";
import { claimJob, listReady, updateHeld } from "./queries.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const POLL_MS = 500;
const CONCURRENCY = 4;
const MAX_ATTEMPTS = 5;
const DRAIN_MS = 5_000;

/** Another process has taken the job over, or it was ended: whatever this one did for it must not count. */
class JobLost extends Error {}

/**
 * Runs background jobs of this process. A job is held by a lease: two processes never run one at once, and the job of
 * a process that died is taken over when its lease ends.
 */
export class JobRunner {
  readonly #app: Services;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  readonly #owner = randomUUID();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #wake = Promise.withResolvers<void>();
  #loop: Promise<void> | undefined;

  constructor(app: Services, kinds: readonly JobKind[]) {
    this.#app = app;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  start(): void {
    this.#loop = this.#run();
  }

  wake = (): void => {
    this.#wake.resolve();
  };

  /** Takes no more jobs, lets the running ones end for a while, then gives them back. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    await Promise.race([Promise.allSettled([...this.#running]), sleep(DRAIN_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#takeSome().catch((error) => this.#app.log.warn({ err: error }, "looking for jobs failed"));
      await Promise.race([this.#wake.promise, sleep(POLL_MS, undefined, { ref: false })]);
      this.#wake = Promise.withResolvers<void>();
    }
  }

  async #takeSome(): Promise<void> {
    const room = CONCURRENCY - this.#running.size;
    if (room <= 0 || this.#kinds.size === 0) return;
    for (const key of await listReady(this.#app.database.read, [...this.#kinds.keys()], Date.now(), room)) {
      const now = Date.now();
      const job = await this.#app.database.transaction((tx) => claimJob(tx, key, this.#owner, now, now + LEASE_MS));
      if (!job) continue;
      const work = this.#work(job).finally(() => {
        this.#running.delete(work);
        this.wake();
      });
      this.#running.add(work);
    }
  }

  async #work(job: JobRow): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stop.signal]);
    const renewing = setInterval(() => void this.#renew(job, lost), RENEW_MS);
    try {
      await this.#finish(job, await this.#perform(job, signal));
    } catch (error) {
      if (error instanceof JobLost) return;
      await this.#giveBack(job, error).catch((inner) =>
        this.#app.log.warn({ err: inner, job_id: job.id }, "job could not be given back"),
      );
    } finally {
      clearInterval(renewing);
    }
  }

  async #perform(job: JobRow, signal: AbortSignal): Promise<(tx: never) => Promise<JobEnd>> {
    const report = async (progress: Readonly<Record<string, unknown>>) => {
      const held = await this.#app.database.transaction((tx) =>
        updateHeld(tx, job, { progress: JSON.stringify(progress) }),
      );
      if (!held) throw new JobLost();
    };
    return this.#kinds.get(job.kind)!.run(job, this.#app, { signal, report });
  }

  /** The effect and the job's end commit together, and only while the job is still ours. */
  async #finish(job: JobRow, commit: (tx: never) => Promise<JobEnd>): Promise<void> {
    await this.#app.database.transaction(async (tx) => {
      if (!(await updateHeld(tx, job, { ready_at: Date.now() + LEASE_MS }))) throw new JobLost();
      await updateHeld(tx, job, ended(await commit(tx as never)));
    });
  }

  async #renew(job: JobRow, lost: AbortController): Promise<void> {
    const held = await this.#app.database
      .transaction((tx) => updateHeld(tx, job, { ready_at: Date.now() + LEASE_MS }))
      .catch(() => true);
    if (!held) lost.abort(new JobLost());
  }

  /** After a failure nobody foresaw, or a stop: later again, a few times. */
  async #giveBack(job: JobRow, error: unknown): Promise<void> {
    const stopping = this.#stop.signal.aborted;
    if (!stopping) this.#app.log.error({ err: error, job_id: job.id, kind: job.kind }, "job failed");
    const isLast = !stopping && job.attempts >= MAX_ATTEMPTS;
    const wait = stopping ? 0 : 1000 * 2 ** job.attempts;
    const changes: Partial<JobRow> = isLast
      ? ended(failed("internal_error", "Something went wrong on our side."))
      : {
          status: "pending",
          lease_owner: null,
          ready_at: Date.now() + wait,
          ...(stopping && { attempts: job.attempts - 1 }),
        };
    await this.#app.database.transaction((tx) => updateHeld(tx, job, changes));
  }
}

const ended = (end: JobEnd): Partial<JobRow> => ({
  status: end.status,
  result: end.result === undefined ? null : JSON.stringify(end.result),
  error: end.error === undefined ? null : JSON.stringify(end.error),
  lease_owner: null,
  finished_at: Date.now(),
});
