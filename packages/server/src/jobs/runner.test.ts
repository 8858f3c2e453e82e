import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { until } from "../../test/support/until.ts";
import { onEachDatabase } from "../../test/support/world.ts";
import type { JobRow } from "../db/schema/tables/jobs.ts";
import { newId } from "../ids.ts";
import { failed, type JobKind, succeeded } from "./job.ts";
import { getJob, insertJob, leaseName, updateJob } from "./queries.ts";
import { JobRunner } from "./runner.ts";

onEachDatabase("jobs", (world) => {
  const append = (kind: string, payload: unknown = {}) => {
    const { database } = world.app.services;
    const job = { workspaceId: "ws_test", id: newId("sjob"), kind, payload, createdBy: "user_test" };
    return database.transaction((tx) => insertJob(tx, job, () => undefined));
  };
  const ended = async (id: string, kind: string) => {
    for (let i = 0; i < 1200; i++) {
      const job = await getJob(world.app.services.database.read, "ws_test", id, kind);
      if (job.finished_at) return job;
      await sleep(25);
    }
    throw new Error("The job did not end.");
  };
  const runnerOf = (...kinds: JobKind[]) => new JobRunner(world.app.services, kinds);

  test("two runners run a job only once", async () => {
    let runs = 0;
    const kind: JobKind = {
      kind: "count",
      run: async () => {
        runs++;
        await sleep(50);
        return async () => succeeded({ runs });
      },
    };
    const runners = [runnerOf(kind), runnerOf(kind)];
    for (const runner of runners) runner.start();
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => append("count")));
    for (const job of jobs) assert.equal((await ended(job.id, "count")).status, "succeeded");
    assert.equal(runs, 5);
    await Promise.all(runners.map((runner) => runner.close()));
  });

  /** As a process leaves its job that is killed while it runs it. */
  const killedWith = (job: JobRow, crashes = 0) =>
    world.app.services.database.transaction(async (tx) => {
      await tx.insertInto("processes").values({ id: job.id, beat: 1 }).execute();
      await tx
        .insertInto("leases")
        .values({ name: leaseName(job), holder: "dead", process_id: job.id })
        .execute();
      await updateJob(tx, job, { status: "running", attempts: crashes + 1, crashes });
    });

  test("the job of a dead process is taken over and takes effect once", async () => {
    const job = await append("orphan");
    await killedWith(job);
    const runner = runnerOf({ kind: "orphan", run: async () => async () => succeeded("done") });
    runner.start();
    const end = await ended(job.id, "orphan");
    assert.deepEqual([end.attempts, end.crashes, end.status], [2, 1, "succeeded"]);
    await runner.close();
  });

  test("a job that ended two processes fails with that reason instead of being retried, and leaves nothing behind", async () => {
    const job = await append("killer");
    await killedWith(job, 1);
    const runs: string[] = [];
    const runner = runnerOf({
      kind: "killer",
      run: async () => {
        runs.push("run");
        return async () => succeeded(null);
      },
      abandon: async () => void runs.push("abandon"),
    });
    runner.start();
    const end = await ended(job.id, "killer");
    assert.deepEqual([end.status, JSON.parse(defined(end.error)).code, runs], ["failed", "process_ended", ["abandon"]]);
    await runner.close();
  });

  test("a job that may have ended a process runs alone", async () => {
    const atOnce = { now: 0, most: 0 };
    const kind: JobKind = {
      kind: "alone",
      run: async (job) => {
        atOnce.now++;
        atOnce.most = Math.max(atOnce.most, atOnce.now);
        if (job.crashes > 0) assert.equal(atOnce.now, 1);
        else await until("the others run together", () => atOnce.most === 2);
        atOnce.now--;
        return async () => succeeded(null);
      },
    };
    const jobs = [await append("alone"), await append("alone"), await append("alone")];
    await world.app.services.database.transaction((tx) => updateJob(tx, defined(jobs[1]), { crashes: 1 }));
    const runner = runnerOf(kind);
    runner.start();
    for (const job of jobs) assert.equal((await ended(job.id, "alone")).attempts, 1);
    assert.equal(atOnce.most, 2);
    await runner.close();
  });

  test("a stopping runner returns its job unharmed", async () => {
    const slow: JobKind = {
      kind: "slow",
      run: async (_job, _app, { signal }) => {
        await sleep(60_000, undefined, { signal });
        return async () => succeeded(null);
      },
    };
    const job = await append("slow");
    const runner = runnerOf(slow);
    runner.start();
    while ((await getJob(world.app.services.database.read, "ws_test", job.id, "slow")).status !== "running")
      await sleep(20);
    await runner.close();
    const given = await getJob(world.app.services.database.read, "ws_test", job.id, "slow");
    assert.deepEqual([given.status, given.attempts, given.crashes], ["pending", 0, 0]);
  });

  test("an expected failure ends the job with its code", async () => {
    const runner = runnerOf({ kind: "doomed", run: async () => async () => failed("provider_refused", "No.") });
    runner.start();
    const job = await ended((await append("doomed")).id, "doomed");
    assert.deepEqual(
      [job.status, JSON.parse(defined(job.error))],
      ["failed", { code: "provider_refused", message: "No." }],
    );
    await runner.close();
  });
});
