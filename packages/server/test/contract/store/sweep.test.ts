import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { defined } from "@svc/document/defined";
import { anyTable } from "@svc/server/db/any-table";
import { newId } from "@svc/server/ids";
import { insertJob, updateJob } from "@svc/server/jobs/queries";
import { sweepSome } from "@svc/server/operation/sweep";
import { DAY_MS, HOUR_MS } from "@svc/server/time";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeKnowledgeBase, sendArchive, zipOf } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** Writes of one caller in a minute at the default rate limit. */
const A_MINUTE = 3000;

/** A row of each table that is swept, as it is made now. Those of one minute differ by `n`. */
const made: Record<string, (owner: Person, n: number, now: number) => Loose> = {
  idempotency_keys: ({ workspaceId, tokenId }, n, now) => ({
    workspace_id: workspaceId,
    token_id: tokenId,
    key: `k${n}`,
    fingerprint: "",
    status: 201,
    headers: "{}",
    body: "",
    created_at: now,
  }),
  audit_log: ({ workspaceId }, n, now) => ({
    workspace_id: workspaceId,
    created_at: now,
    action: "made",
    path: "/",
    status: 201,
    request_id: `r${n}`,
  }),
  jobs: ({ workspaceId, userId }, n, now) => ({
    workspace_id: workspaceId,
    id: `j${n}`,
    kind: "old",
    status: n % 2 ? "failed" : "succeeded",
    payload: "{}",
    progress: "{}",
    attempts: 1,
    ready_at: now,
    created_by: userId,
    created_at: now,
    finished_at: now,
  }),
  device_codes: (_, n, now) => ({
    device_code_hash: `d${n}`,
    user_code_hash: `u${n}`,
    client_name: "",
    access: "read",
    status: "pending",
    created_at: now,
    expires_at: now + HOUR_MS,
  }),
  sessions: ({ workspaceId, userId }, n, now) => ({
    id: `s${n}`,
    token_hash: `h${n}`,
    user_id: userId,
    workspace_id: workspaceId,
    user_agent: "",
    created_at: now,
    expires_at: now + DAY_MS,
    last_seen_at: now,
  }),
  attempts: (_, n, now) => ({ subject: `a${n}`, failures: 1, free_at: now, forgotten_at: now + HOUR_MS }),
  rate_windows: (_, n, now) => ({ subject: `w${n}`, window_start: now, used: 1 }),
  spent_tickets: (_, n, now) => ({ ticket_hash: `t${n}`, expires_at: now + HOUR_MS }),
};

onEachDatabase("the sweep", (world) => {
  const count = async (table: string): Promise<number> => {
    const { read } = world.app.services.database;
    const rows = read.selectFrom(anyTable(table)).select((eb) => eb.fn.countAll<number>().as("count"));
    return Number((await rows.executeTakeFirstOrThrow()).count);
  };
  const writeMinute = async (table: string, owner: Person, now: number): Promise<void> => {
    for (let from = 0; from < A_MINUTE; from += 1000)
      await world.app.services.database.transaction((tx) =>
        tx
          .insertInto(table as "audit_log")
          .values(Array.from({ length: 1000 }, (_, n) => defined(made[table])(owner, from + n, now)))
          .execute(),
      );
  };

  test("SWEEP1 of each table it keeps up with the largest rate, and takes nothing that is still of use", async () => {
    const { services } = world.app;
    const owner = await world.person();
    const now = Date.now();
    for (const table of Object.keys(made)) await writeMinute(table, owner, now);
    assert.equal(await sweepSome(services), false, "nothing is old yet");
    for (const table of Object.keys(made)) assert.ok((await count(table)) >= A_MINUTE, table);

    const sweepAt = async (days: number): Promise<number> => {
      mock.timers.setTime(now + days * DAY_MS + 1000);
      let steps = 1;
      while (await sweepSome(services)) steps++;
      return steps;
    };
    mock.timers.enable({ apis: ["Date"], now });
    try {
      const steps = [await sweepAt(1.1), await sweepAt(500)];
      for (const taken of steps) assert.ok(taken <= A_MINUTE / 1000 + 1, "a thousand rows in each step, and none idle");
      for (const table of Object.keys(made)) assert.equal(await count(table), 0, table);
    } finally {
      mock.timers.reset();
    }
  });

  test("SWEEP1 a day later answers and waits are gone, jobs and audit rows are not", async () => {
    const { services } = world.app;
    const owner = await world.person();
    assertStatus(await owner.client.post("/knowledge-bases", { name: "kept" }, { key: "fresh" }), 201);
    await services.database.transaction((tx) =>
      tx
        .insertInto("jobs")
        .values(defined(made.jobs)(owner, 0, Date.now()))
        .execute(),
    );
    mock.timers.enable({ apis: ["Date"], now: Date.now() + DAY_MS + 1000 });
    try {
      while (await sweepSome(services));
      assert.deepEqual([await count("idempotency_keys"), await count("jobs")], [0, 1]);
      assert.ok((await count("audit_log")) > 0);
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
