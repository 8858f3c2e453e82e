import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { MAIN, runProgram, type ServerProcess, startServer, svc, TEST_SERVER } from "../support/process.ts";
import { Watch } from "../support/until.ts";
import { databases, makeStore } from "../support/world.ts";

type Settings = Record<string, string>;

async function makeToken(settings: Settings): Promise<string> {
  await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
  return (await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write")).token;
}

/** The status, or 0 when the connection broke. */
async function write(server: ServerProcess, token: string, value: string, key?: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(key && { "idempotency-key": key }),
  };
  try {
    const reply = await fetch(`${server.url}/api/v1/test-writes`, {
      method: "POST",
      headers,
      body: JSON.stringify({ value }),
    });
    await reply.text();
    return reply.status;
  } catch {
    return 0;
  }
}

async function withDatabase<T>(settings: Settings, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await connect(readConfig(settings), { warn: () => undefined });
  return work(database).finally(() => database.close());
}

const countsOf = (settings: Settings) =>
  withDatabase(settings, async ({ read }) => {
    const rows = await read.selectFrom("server_state").select("value").where("key", "like", "test:%").execute();
    const counts = new Map<string, number>();
    for (const { value } of rows) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  });

for (const kind of databases)
  describe(`faults of processes [${kind}]`, () => {
    test("keyed writes interrupted by kill -9 and retried take effect exactly once", async () => {
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: "1000000" };
      try {
        const token = await makeToken(settings);
        const values = Array.from({ length: 90 }, (_, n) => `crash-${n}`);
        const acknowledged = new Set<string>();
        let open = values;
        for (let round = 0; open.length > 0; round++) {
          assert.ok(round < 10, "every round gets further");
          const server = await startServer(settings, TEST_SERVER);
          const work = Promise.all(
            open.map(async (value) => {
              if ((await write(server, token, value, value)) === 201) acknowledged.add(value);
            }),
          );
          if (round < 2) setTimeout(() => server.child.kill("SIGKILL"), 30 + 40 * round);
          await work;
          await server.stop(round < 2 ? "SIGKILL" : "SIGTERM");
          const counts = await countsOf(settings);
          for (const value of acknowledged) assert.equal(counts.get(value), 1, `${value} after round ${round}`);
          open = values.filter((value) => !acknowledged.has(value));
        }
        const counts = await countsOf(settings);
        for (const value of values) assert.equal(counts.get(value), 1, value);
      } finally {
        await store.remove();
      }
    });

    test("two processes write to one store without losing a write", async () => {
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: "1000000" };
      const servers = await Promise.all([startServer(settings, TEST_SERVER), startServer(settings, TEST_SERVER)]);
      try {
        const token = await makeToken(settings);
        const writes = servers.flatMap((server, s) =>
          Array.from({ length: 60 }, (_, n) => write(server, token, `both-${s}-${n}`)),
        );
        assert.deepEqual(new Set(await Promise.all(writes)), new Set([201]));
        assert.equal((await countsOf(settings)).size, 120);
      } finally {
        await Promise.all(servers.map((server) => server.stop()));
        await store.remove();
      }
    });

    test("several processes that start at once on an empty store migrate it once and all serve", async () => {
      const store = await makeStore(kind);
      try {
        const servers = await Promise.all(Array.from({ length: 4 }, () => startServer(store.settings)));
        const ready = await Promise.all(servers.map(async (server) => (await fetch(`${server.url}/readyz`)).status));
        assert.deepEqual(ready, [200, 200, 200, 200]);
        await Promise.all(servers.map((server) => server.stop()));
      } finally {
        await store.remove();
      }
    });

    test("OPS2 SIGTERM finishes what runs and ends in time", async () => {
      const store = await makeStore(kind);
      try {
        const token = await makeToken(store.settings);
        const server = await startServer(store.settings, TEST_SERVER);
        await (await fetch(`${server.url}/healthz`)).text();
        const running = write(server, token, "slow");
        await new Promise((resolve) => setTimeout(resolve, 100));
        using watch = new Watch();
        const { code } = await server.stop("SIGTERM");
        assert.equal(await running, 201);
        assert.equal(code, 0);
        assert.ok(watch.ms < 5000);
        const main = await startServer(store.settings);
        await (await fetch(`${main.url}/healthz`)).text();
        assert.equal((await main.stop("SIGTERM")).code, 0, "the program itself, with an idle connection open");
      } finally {
        await store.remove();
      }
    });

    test("OPS3 the log has a line per request, and never a token, a query or a body", async () => {
      const store = await makeStore(kind);
      try {
        const token = await makeToken(store.settings);
        const server = await startServer(store.settings);
        const headers = { authorization: `Bearer ${token}`, "x-request-id": "look-for-me" };
        await fetch(`${server.url}/api/v1/me`, { headers });
        await fetch(`${server.url}/api/v1/me?access_token=${token}&word=hidden-query`, { headers });
        const body = JSON.stringify({ text: "hidden-body", token });
        await fetch(`${server.url}/api/v1/me`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body,
        });
        await fetch(`${server.url}/api/v1/${token}`, { headers: { authorization: `Basic ${token}` } });
        const { stdout, stderr } = await server.stop();
        const lines = stdout
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line));
        const me = lines.find((line) => line.request_id === "look-for-me");
        assert.equal(me.method, "GET");
        assert.equal(me.route, "/api/v1/me");
        assert.equal(me.status, 200);
        assert.equal(typeof me.duration_ms, "number");
        assert.match(me.user_id, /^user_/);
        assert.match(me.token_id, /^tok_/);
        assert.equal(lines.filter((line) => line.msg === "request").length, 4);
        for (const secret of [token, "hidden-query", "hidden-body"])
          assert.ok(!(stdout + stderr).includes(secret), secret);
      } finally {
        await store.remove();
      }
    });
  });

describe("settings of the program", () => {
  test("CONF2 a wrong one stops the start with one line: its name, what was given, what is allowed", async () => {
    const cases: [Settings, RegExp][] = [
      [{ SVC_PORT: "many" }, /^svc: Setting SVC_PORT is "many", allowed is a whole number from 0 to 65535\.\n$/],
      [{ SVC_LOG_LEVEL: "loud" }, /^svc: Setting SVC_LOG_LEVEL is "loud", allowed is fatal, .*\n$/],
      [{ SVC_SECRET: "a", SVC_SECRET_FILE: "b" }, /^svc: Setting SVC_SECRET .*SVC_SECRET_FILE, not both\.\n$/],
      [{ SVC_DATABASE_URL: "mysql://user:hunter2@x" }, /^svc: Setting SVC_DATABASE_URL .*postgres:\/\/.*\n$/],
    ];
    await Promise.all(
      cases.map(async ([settings, line]) => {
        const done = await runProgram(MAIN, [], { SVC_DATA_DIR: "/nonexistent/svc", ...settings });
        assert.equal(done.code, 1);
        assert.match(done.stderr, line);
        assert.doesNotMatch(done.stderr, /hunter2/);
        assert.equal(done.stdout, "");
      }),
    );
  });

  test("CONF3 what is most likely a mistake is warned about at the start", async () => {
    const store = await makeStore("sqlite");
    const server = await startServer({ ...store.settings, SVC_PROT: "1", SVC_SECRET: "guess me" });
    await server.stop();
    await store.remove();
    const lines = server.stdout.split("\n").filter((line) => line.startsWith("{"));
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    assert.deepEqual(
      warnings.map(({ setting }) => setting),
      ["SVC_PROT", "SVC_SECRET"],
    );
    assert.doesNotMatch(server.stdout, /guess me/);
  });
});
