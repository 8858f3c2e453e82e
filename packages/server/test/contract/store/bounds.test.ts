import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { anyTable } from "@svc/server/db/any-table";
import { checkTokenQuota } from "@svc/server/domain/identity/tokens/check-token-quota";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { newId } from "@svc/server/ids";
import { insertJob, updateJob } from "@svc/server/jobs/queries";
import { applyRowLimits, ROW_LIMITS } from "@svc/server/operation/row-limits";
import { DAY_MS } from "@svc/server/time";
import { assertError, assertStatus } from "../../support/client.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

/** Writes of one caller in the ten minutes between two sweeps, at the default rate limit. */
const TEN_MINUTES = 10 * 3000;

const servicesOf = (world: World) => world.app.services;

async function countOf(world: World, table: "audit_log" | "sessions" | "device_codes", column: string, value: string) {
  const rows = servicesOf(world)
    .database.read.selectFrom(anyTable(table))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(column, "=", value);
  return Number((await rows.executeTakeFirstOrThrow()).count);
}

/** Rows in steps that both databases take. */
async function insert(world: World, table: string, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 500)
    await servicesOf(world).database.transaction((tx) =>
      tx
        .insertInto(table as "audit_log")
        .values(rows.slice(from, from + 500) as never)
        .execute(),
    );
}

onEachDatabase(
  "bounds of tables",
  (world) => {
    test("SWEEP2 the audit log of a workspace keeps its newest rows, however fast they come, and others keep theirs", async () => {
      const { workspaceId } = await world.person();
      const other = await world.person();
      assertStatus(await other.client.post("/knowledge-bases", { name: "Other" }), 201);
      const before = await countOf(world, "audit_log", "workspace_id", other.workspaceId);
      const now = Date.now();
      mock.timers.enable({ apis: ["Date"], now: now + DAY_MS });
      try {
        const row = { workspace_id: workspaceId, agent: 0, action: "a", status: 200, request_id: "r" };
        const rows = Array.from({ length: TEN_MINUTES }, (_, i) => ({ ...row, path: `/${i}`, created_at: Date.now() }));
        await insert(world, "audit_log", rows);
        assert.ok((await applyRowLimits(servicesOf(world))) >= TEN_MINUTES - 5000, "all of them in one look");
      } finally {
        mock.timers.reset();
      }
      assert.equal(await countOf(world, "audit_log", "workspace_id", workspaceId), 5000);
      assert.equal(await countOf(world, "audit_log", "workspace_id", other.workspaceId), before);
      const newest = await servicesOf(world)
        .database.read.selectFrom("audit_log")
        .select("path")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      assert.equal(newest.path, `/${TEN_MINUTES - 1}`);
    });

    test("SWEEP2 sessions of a person and codes that one address asked for: the newest stay", async () => {
      const { userId, workspaceId } = await world.person();
      const session = { user_id: userId, workspace_id: workspaceId, user_agent: "", created_at: 0, expires_at: 9e15 };
      const sessions = Array.from({ length: 130 }, (_, i) => ({
        ...session,
        id: `s${i}`,
        token_hash: `h${userId}${i}`,
      }));
      await insert(
        world,
        "sessions",
        sessions.map((row, i) => ({ ...row, id: `${userId}${row.id}`, last_seen_at: i })),
      );
      const code = { client_name: "c", access: "read_only", status: "pending", created_at: 0, expires_at: 9e15 };
      const codes = Array.from({ length: 1100 }, (_, i) => ({ ...code, created_at: i, address: "192.0.2.9" }));
      await insert(
        world,
        "device_codes",
        codes.map((row, i) => ({ ...row, device_code_hash: `d${i}`, user_code_hash: `u${i}` })),
      );
      await applyRowLimits(servicesOf(world));
      assert.equal(await countOf(world, "sessions", "user_id", userId), 100);
      assert.equal(await countOf(world, "device_codes", "address", "192.0.2.9"), 1000);
      const oldest = await servicesOf(world)
        .database.read.selectFrom("sessions")
        .select("last_seen_at")
        .where("user_id", "=", userId)
        .orderBy("last_seen_at")
        .limit(1)
        .executeTakeFirstOrThrow();
      assert.equal(oldest.last_seen_at, 30);
    });

    test("SWEEP2 only jobs that have ended go; one more than may wait is 422", async () => {
      const { client, workspaceId } = await world.person();
      const { database } = servicesOf(world);
      const make = (status: "failed" | "pending", kind: string) =>
        database.transaction(async (tx) => {
          const job = { workspaceId, id: newId("sjob"), kind, payload: {}, createdBy: "" };
          await insertJob(tx, job, () => undefined);
          const key = { workspace_id: workspaceId, id: job.id };
          await updateJob(tx, key, { status, ready_at: Date.now() + 500_000 });
        });
      for (const status of ["failed", "failed", "failed", "pending", "pending"] as const) await make(status, "other");
      const bounds = ROW_LIMITS.map((bound) => (bound.table === "jobs" ? { ...bound, most: () => 1 } : bound));
      await applyRowLimits(servicesOf(world), undefined, bounds);
      const left = await database.read.selectFrom("jobs").select("status").where("kind", "=", "other").execute();
      assert.deepEqual(left.map(({ status }) => status).sort(), ["failed", "pending", "pending"]);
      for (let i = 0; i < 3; i++) await make("pending", "summary_job");
      const base = (await client.post("/knowledge-bases", { name: "Base" })).data;
      const refused = await client.post(`/knowledge-bases/${base.id}/summary/rebuild`, { generator: "model" });
      const { quota, limit, used } = assertError(refused, "quota_exceeded");
      assert.deepEqual([quota, limit, used], ["jobs", 3, 3]);
    });

    test("ACC8 one token more than a person may have in a workspace is refused, and made at once is no way around", async () => {
      const { userId, workspaceId, tokenId } = await world.person();
      const { database } = servicesOf(world);
      const make = () =>
        database.transaction(async (tx) => {
          await checkTokenQuota(tx, userId, workspaceId, 5);
          return createToken(tx, { userId, workspaceId, name: "t", access: "read_only" });
        });
      const made = await Promise.allSettled(Array.from({ length: 8 }, make));
      assert.equal(made.filter(({ status }) => status === "fulfilled").length, 4);
      await assert.rejects(make(), { code: "quota_exceeded" });
      await database.transaction((tx) => revokeToken(tx, tokenId, Date.now()));
      await make();
    });
  },
  { SVC_MAX_AUDIT_ROWS: "5000", SVC_MAX_JOBS: "3", SVC_MODEL_URL: "http://127.0.0.1:1", SVC_MODEL_NAME: "none" },
);
