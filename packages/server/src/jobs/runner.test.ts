import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onEachDatabase } from "../../test/support/world.ts";
import { newId } from "../ids.ts";
import { failed, type JobKind, succeeded } from "./job.ts";
import { getJob, insertJob } from "./queries.ts";
import { JobRunner } from "./runner.ts";

onEachDatabase("jobs", (world) => {
  const append = (kind: string, payload: unknown = {}) => {
    const { database } = world.app.services;
    const job = { workspaceId: "ws_test", id: newId("sjob"), kind, payload, createdBy: "user_test" };
    return database.transaction((tx) => insertJob(tx, job, () => undefined));
  };
  const ended = async (id: string, kind: string) => {
    for (let i = 0; i < 400; i++) {
      const job = await getJob(world.app.services.database.read, "ws_test", id, kind);
      if (job.finished_at) return job;
      await sleep(25);
    }
    throw new Error("The job did not end.");
  };
  const runnerOf = (...kinds: JobKind[]) => new JobRunner(world.app.services, kinds);

  test("JOB1 a job runs once although two runners look for it", async () => {
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

  test("JOB2 the job of a process that died is taken over when its lease ends, and its effect counts once", async () => {
    const job = await append("orphan");
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx
        .updateTable("jobs")
        .set({ status: "running", lease_owner: "dead", ready_at: Date.now() + 300, attempts: 1 })
        .where("id", "=", job.id)
        .execute(),
    );
    const runner = runnerOf({ kind: "orphan", run: async () => async () => succeeded("done") });
    runner.start();
    const end = await ended(job.id, "orphan");
    assert.equal(end.attempts, 2);
    assert.ok(end.finished_at! >= job.created_at + 300);
    await runner.close();
  });

  test("FAULT13 a lease from before the clock was put back has ended", async () => {
    const job = await append("ahead");
    await world.app.services.database.transaction((tx) =>
      tx
        .updateTable("jobs")
        .set({ status: "running", lease_owner: "dead", ready_at: Date.now() + 7_200_000, attempts: 1 })
        .where("id", "=", job.id)
        .execute(),
    );
    const runner = runnerOf({ kind: "ahead", run: async () => async () => succeeded("done") });
    runner.start();
    assert.equal((await ended(job.id, "ahead")).attempts, 2);
    await runner.close();
  });

  test("JOB3 a stopping runner gives its job back unharmed", async () => {
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
    assert.deepEqual([given.status, given.attempts, given.lease_owner], ["pending", 0, null]);
  });

  test("JOB4 a failure that the kind foresees ends the job, with its code", async () => {
    const runner = runnerOf({ kind: "doomed", run: async () => async () => failed("provider_refused", "No.") });
    runner.start();
    const job = await ended((await append("doomed")).id, "doomed");
    assert.deepEqual([job.status, JSON.parse(job.error!)], ["failed", { code: "provider_refused", message: "No." }]);
    await runner.close();
  });
});
