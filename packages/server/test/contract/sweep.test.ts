import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { newId } from "@svc/server/ids";
import { insertJob, updateJob } from "@svc/server/jobs/queries";
import { sweepSome } from "@svc/server/operation/sweep";
import { DAY_MS } from "@svc/server/time";
import { assertError, assertStatus } from "../support/client.ts";
import { makeKnowledgeBase, sendArchive, zipOf } from "../support/fixtures.ts";
import { onEachDatabase, type World } from "../support/world.ts";

/** What ten callers can write in a minute at the default rate limit. */
const A_MINUTE = 10 * 3000;

async function keysOf(world: World): Promise<number> {
  const { read } = world.app.services.database;
  const rows = read.selectFrom("idempotency_keys").select((eb) => eb.fn.countAll<number>().as("count"));
  return Number((await rows.executeTakeFirstOrThrow()).count);
}

async function writeKeys(world: World, count: number): Promise<void> {
  const { workspaceId, tokenId } = await world.person();
  const row = { workspace_id: workspaceId, token_id: tokenId, fingerprint: "", status: 201, headers: "{}", body: "" };
  for (let from = 0; from < count; from += 1000)
    await world.app.services.database.transaction((tx) =>
      tx
        .insertInto("idempotency_keys")
        .values(Array.from({ length: 1000 }, (_, n) => ({ ...row, key: `k${from + n}`, created_at: Date.now() })))
        .execute(),
    );
}

onEachDatabase("the sweep", (world) => {
  test("SWEEP1 it keeps up with the largest rate, and takes nothing that is still of use", async () => {
    await writeKeys(world, A_MINUTE);
    const { services } = world.app;
    const { client, workspaceId } = await world.person();
    const job = { workspaceId, id: newId("sjob"), kind: "old", payload: {}, createdBy: "" };
    await services.database.transaction((tx) => insertJob(tx, job, () => undefined));
    await services.database.transaction((tx) =>
      updateJob(tx, { workspace_id: workspaceId, id: job.id }, { status: "failed", finished_at: Date.now() }),
    );
    const headers = { "idempotency-key": "fresh" };
    assertStatus(await client.post("/knowledge-bases", { name: "kept" }, { headers }), 201);
    assert.equal(await sweepSome(services), false, "nothing is old yet");
    assert.equal(await keysOf(world), A_MINUTE + 1);

    mock.timers.enable({ apis: ["Date"], now: Date.now() + DAY_MS + 1000 });
    try {
      let steps = 1;
      while (await sweepSome(services)) steps++;
      assert.ok(steps <= A_MINUTE / 1000 + 1, "a thousand rows in each step, and none without work");
      assert.equal(await keysOf(world), 0);
      const jobs = () => services.database.read.selectFrom("jobs").select("id").where("kind", "=", "old").execute();
      const audits = () => services.database.read.selectFrom("audit_log").select("id").execute();
      assert.equal((await jobs()).length, 1);
      assert.ok((await audits()).length > 0);
      mock.timers.setTime(Date.now() + 500 * DAY_MS);
      while (await sweepSome(services));
      assert.deepEqual([await jobs(), await audits()], [[], []]);
    } finally {
      mock.timers.reset();
    }
  });
});

onEachDatabase(
  "imports in flight",
  (world) => {
    test("IMP9 one more than may wait is 422, and its archive is not kept", async () => {
      const { client, workspaceId } = await world.person();
      await makeKnowledgeBase(client);
      const { database, blobs } = world.app.services;
      const waiting = { workspaceId, id: newId("ijob"), kind: "import_job", payload: {}, createdBy: "" };
      await database.transaction(async (tx) => {
        await insertJob(tx, waiting, () => undefined);
        // Not before the test is over.
        await updateJob(tx, { workspace_id: workspaceId, id: waiting.id }, { ready_at: Date.now() + 50_000 });
      });
      const refused = await sendArchive(client, await zipOf({ "a.md": "x" }));
      const { quota, limit, used } = assertError(refused, "quota_exceeded");
      assert.deepEqual([quota, limit, used], ["imports", 1, 1]);
      assert.deepEqual(await Array.fromAsync(blobs.list("")), []);
    });
  },
  { SVC_MAX_IMPORTS: "1" },
);
