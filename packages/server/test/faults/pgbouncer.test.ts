import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { Client } from "../support/client.ts";
import { EventReader } from "../support/event-reader.ts";
import { makeDocument } from "../support/fixtures.ts";
import { freePort, NOBODY, untilReady } from "../support/postgres.ts";
import { MAIN, runProgram, startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** A PgBouncer with the settings that it comes with, before the PostgreSQL of the tests. */
class PgBouncer implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "svc-pgbouncer-"));
  #process!: ChildProcess;
  url = "";

  static async start(database: string, mode = ""): Promise<PgBouncer> {
    const bouncer = new PgBouncer();
    const port = await freePort();
    const server = new URL(database);
    const file = join(bouncer.#directory, "pgbouncer.ini");
    writeFileSync(join(bouncer.#directory, "users.txt"), '"postgres" ""\n');
    writeFileSync(
      file,
      `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(bouncer.#directory, "users.txt")}
${mode}
`,
    );
    const asNobody = process.getuid?.() === 0 ? NOBODY : {};
    if (process.getuid?.() === 0) chownSync(bouncer.#directory, NOBODY.uid, NOBODY.gid);
    bouncer.#process = spawn(PROGRAM, [file], { ...asNobody, stdio: "ignore" });
    server.port = String(port);
    bouncer.url = server.href;
    await untilReady(bouncer.url);
    return bouncer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGINT");
    await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

describe("behind PgBouncer", { skip: existsSync(PROGRAM) ? false : "no PgBouncer: npm run setup:peers" }, () => {
  test("BOUNCE1 in session mode, with its own settings: writes, reads, and events of another process", async () => {
    const store = await makeStore("postgres");
    {
      await using bouncer = await PgBouncer.start(defined(store.settings.SVC_DATABASE_URL));
      const settings = { ...store.settings, SVC_DATABASE_URL: bouncer.url };
      const ada = ["--email", "a@example.com"];
      await svc(settings, "users", "create", ...ada, "--name", "A", "--password", "x");
      const { token } = await svc(settings, "tokens", "create", ...ada, "--access", "read_write");
      await using server = await startServer(settings);
      const client = new Client(server.url, token);
      const stream = await EventReader.open(server.url, token);
      const made = await Promise.all(Array.from({ length: 20 }, () => makeDocument(client)));
      await until("all are told", () => stream.events.length >= 20);
      stream.close();
      for (const { id } of made) assert.equal((await client.get(`/documents/${id}`)).status, 200);
    }
    await store.remove();
  });

  for (const mode of ["pool_mode = transaction", "pool_mode = transaction\ndefault_pool_size = 1"])
    test(`BOUNCE2 ${mode.replace("\n", ", ")} is noticed and refused at the start, in one sentence`, async () => {
      const store = await makeStore("postgres");
      {
        await using bouncer = await PgBouncer.start(defined(store.settings.SVC_DATABASE_URL), mode);
        const done = await runProgram(MAIN, [], { ...store.settings, SVC_DATABASE_URL: bouncer.url });
        assert.equal(done.code, 1);
        assert.match(done.stderr, /^svc: SVC_DATABASE_URL .*pool_mode = session.*\n$/);
      }
      await store.remove();
    });

  test("BOUNCE2 transaction mode that is asked for is refused at the start, in one sentence", async () => {
    const settings = { SVC_DATABASE_URL: "postgres://127.0.0.1:1/none", SVC_DATABASE_POOLING: "transaction" };
    const done = await runProgram(MAIN, [], settings);
    assert.notEqual(done.code, 0);
    assert.match(done.stderr, /SVC_DATABASE_POOLING.*session/);
    assert.equal(done.stderr.trim().split("\n").length, 1);
  });
});
