import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Loose } from "../support/client.ts";
import { MAIN, NPM_START, runProgram, type ServerProcess, startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { databases, makeStore } from "../support/world.ts";

const isLinux = process.platform === "linux";

type Settings = Record<string, string>;

/** Starts a server with two workers on an empty store, and cleans up after it. */
async function withWorkers(
  work: (server: ServerProcess, settings: Settings) => Promise<void>,
  kind: (typeof databases)[number] = "sqlite",
) {
  const store = await makeStore(kind);
  const settings = { ...store.settings, SVC_WORKERS: "2", SVC_RATE_LIMIT: "1000000" };
  const server = await startServer(settings);
  try {
    await work(server, settings);
  } finally {
    await server.stop();
    await store.remove();
  }
}

const linesOf = (text: string): Loose[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

const workersOf = (server: ServerProcess): number[] =>
  linesOf(server.stdout).find((line) => line.msg === "serving").workers;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A request on a connection of its own. */
const get = async (server: ServerProcess, path: string) => {
  const reply = await fetch(server.url + path, { headers: { connection: "close" } });
  return { status: reply.status, text: await reply.text() };
};

/** Both workers are in it, each under its label, and together they have answered so often. */
function assertFigures(text: string, requests: number): void {
  const counts = text.matchAll(/^svc_http_requests_total\{operation="other",status="200",worker="(\d)"\} (\d+)$/gm);
  const byWorker = new Map([...counts].map(([, worker, count]) => [worker, Number(count)]));
  assert.deepEqual([...byWorker.keys()].sort(), ["1", "2"]);
  assert.equal(defined(byWorker.get("1")) + defined(byWorker.get("2")), requests);
  assert.equal(text.match(/^# TYPE svc_http_requests_total /gm)?.length, 1);
  assert.equal(text.match(/^process_resident_memory_bytes\{worker="\d"\} /gm)?.length, 2);
}

describe("several workers on one port", () => {
  for (const kind of databases)
    test(`two workers take connections in turn, each reports everyone's metrics, and the start is announced once [${kind}]`, () =>
      withWorkers(async (server, settings) => {
        for (let i = 0; i < 6; i++) assert.equal((await get(server, "/readyz")).status, 200);
        for (let i = 0; i < 2; i++) assertFigures((await get(server, "/metrics")).text, 6 + i);
        await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
        const { token } = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_only");
        for (let i = 0; i < 4; i++) {
          const reply = await fetch(`${server.url}/api/v1/me`, {
            headers: { authorization: `Bearer ${token}`, connection: "close" },
          });
          assert.equal(reply.status, 200, await reply.text());
        }
        const { stdout, stderr, code } = await server.stop();
        assert.equal(code, 0);
        assert.equal(stderr, "");
        const requests = linesOf(stdout).filter((line) => line.msg === "request");
        for (const worker of [1, 2]) assert.equal(requests.filter((line) => line.worker === worker).length, 6);
        assert.equal(linesOf(stdout).filter((line) => line.msg === "serving").length, 1);
        assert.equal(stdout.match(/\/setup\//g)?.length, 1);
        assert.ok(stdout.indexOf('"serving"') < stdout.indexOf("/setup/"));
      }, kind));

  test("a killed worker is replaced without refusing anybody, and so are all at once", () =>
    withWorkers(async (server) => {
      const [first, second] = workersOf(server);
      process.kill(defined(first), "SIGKILL");
      await until("the worker has ended", () => !isAlive(defined(first)));
      for (let i = 0; i < 20; i++) assert.equal((await get(server, "/healthz")).status, 200);
      await until("it is replaced", () => server.stdout.includes("serving again"));
      assert.match((await get(server, "/metrics")).text, /svc_worker_restarts_total\{worker="1"\} 1\n/);
      const again = Number(/"pid":(\d+),"msg":"serving again"/.exec(server.stdout)?.[1]);
      for (const pid of [again, defined(second)]) process.kill(pid, "SIGKILL");
      await until("both are replaced", () => server.stdout.split("serving again").length === 4);
      assert.equal((await get(server, "/readyz")).status, 200, "at the same address");
    }));

  test("a stop finishes running requests and leaves no process behind", () =>
    withWorkers(async (server) => {
      const pids = workersOf(server);
      const { hostname, port } = new URL(server.url);
      const slow = connect(Number(port), hostname);
      slow.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
      await once(slow, "data");
      // A worker has the connection; it closes none on which a request has begun.
      slow.write("GET /healthz HTTP/1.1\r\nhost: x\r\n");
      await sleep(500);
      const stopped = server.stop("SIGTERM");
      // A service manager sends the signal to every process, and npm passes on what the whole group got already.
      for (const pid of [...pids, defined(server.child.pid)]) process.kill(pid, "SIGTERM");
      slow.write("\r\n");
      const [answer] = await once(slow, "data");
      assert.match(String(answer), /^HTTP\/1\.1 200 /);
      const { code, stdout } = await stopped;
      assert.equal(code, 0);
      assert.deepEqual(pids.filter(isAlive), []);
      assert.doesNotMatch(stdout, /is replaced/);
    }));

  test("workers without a supervisor end by themselves and free the port at once", () =>
    withWorkers(async (server, settings) => {
      const pids = workersOf(server);
      await server.stop("SIGKILL");
      const next = await startServer({ ...settings, SVC_PORT: new URL(server.url).port });
      assert.equal((await get(next, "/readyz")).status, 200);
      await next.stop();
      await until("the workers have ended", () => !pids.some(isAlive));
    }));

  test("every request logs one line with the worker's number, even when the output is read slowly", () =>
    withWorkers(async (server) => {
      server.child.stdout?.pause();
      const requests = Array.from({ length: 8 }, async (_, n) => {
        for (let i = 0; i < 60; i++) {
          const headers = { "x-request-id": `${n}-${i}-${"x".repeat(100)}` };
          assert.equal((await fetch(`${server.url}/api/v1/me`, { headers })).status, 401);
        }
      });
      await Promise.all(requests);
      server.child.stdout?.resume();
      const lines = linesOf((await server.stop()).stdout);
      const told = lines.filter((line) => line.msg === "request");
      assert.equal(new Set(told.map((line) => line.request_id)).size, 480);
      assert.deepEqual(new Set(told.map((line) => line.worker)), new Set([1, 2]));
    }));

  test("npm start becomes the server with its memory settings, which its workers inherit", {
    skip: !isLinux,
  }, async () => {
    const store = await makeStore("sqlite");
    const settings = { ...store.settings, SVC_WORKERS: "2", MALLOC_ARENA_MAX: "3" };
    const server = await startServer(settings, NPM_START);
    try {
      for (const pid of [defined(server.child.pid), ...workersOf(server)]) {
        assert.match(readFileSync(`/proc/${pid}/cmdline`, "utf8"), /--max-semi-space-size=\d+\0.*\/main\.ts\0/);
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        const told = environment.filter((line) => line.startsWith("MALLOC_")).sort();
        assert.deepEqual(told, ["MALLOC_ARENA_MAX=3", "MALLOC_TRIM_THRESHOLD_=131072"]);
      }
      const { code, signal } = await server.stop();
      assert.deepEqual([code, signal], [0, null]);
    } finally {
      await server.stop();
      await store.remove();
    }
  });

  test("a server that cannot start ends with one message and exit code 1, without retrying", async () => {
    const store = await makeStore("sqlite");
    const running = await startServer(store.settings);
    try {
      const cases: [Settings, RegExp][] = [
        [{ SVC_WORKERS: "0" }, /^svc: Setting SVC_WORKERS is "0", allowed is a whole number from 1 to 64\.\n$/],
        [{ SVC_RATE_LIMIT: "none" }, /^svc: Setting SVC_RATE_LIMIT .*\n$/],
        [{ SVC_PORT: new URL(running.url).port }, /^svc: Setting SVC_PORT is .*EADDRINUSE.*\n$/],
        [
          { SVC_PORT: "0", SVC_METRICS_ADDRESS: new URL(running.url).host },
          /^svc: Setting SVC_METRICS_ADDRESS .*EADDRINUSE.*\n$/,
        ],
        [{ SVC_HOST: "nowhere.invalid" }, /^svc: Setting SVC_HOST is "nowhere.invalid", .*\n$/],
        [{ SVC_PORT: "0", SVC_DATA_DIR: `${MAIN}/x` }, /^svc: Setting SVC_DATA_DIR is .*ENOTDIR.*\n$/],
        [{ SVC_PORT: "0", SVC_DATA_DIR: "/proc/none/x" }, /^svc: Setting SVC_DATA_DIR is .*\n$/],
        [
          { SVC_PORT: "0", SVC_DATABASE_URL: "postgres://127.0.0.1:1/x" },
          /^svc: Setting SVC_DATABASE_URL .*ECONNREFUSED 127.*\n$/,
        ],
      ];
      await Promise.all(
        cases.map(async ([settings, message]) => {
          const done = await runProgram(MAIN, [], { ...store.settings, SVC_WORKERS: "2", ...settings });
          assert.deepEqual([done.code, done.signal], [1, null]);
          assert.match(done.stderr, message);
          assert.equal(done.stdout, "");
        }),
      );
    } finally {
      await running.stop();
      await store.remove();
    }
  });
});
