import assert from "node:assert/strict";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";
import { openPostgres } from "@svc/server/db/postgres/open";
import { statement } from "@svc/server/db/statement/statement";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { sql } from "kysely";
import { assertError, Client } from "../support/client.ts";
import { freePort, makeDatabase } from "../support/postgres.ts";
import { makeStore } from "../support/world.ts";

/** Stands between server and database, and can be cut like a cable. */
class Cable {
  readonly #target: URL;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(target: URL, port: number) {
    this.#target = target;
    this.#port = port;
  }

  mend(): Promise<void> {
    this.#server = createServer((near) => {
      const far = dial(Number(this.#target.port), this.#target.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    return new Promise((resolve) => this.#server?.listen(this.#port, "127.0.0.1", resolve));
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

const findState = statement<{ key: string }, { key: string }>({
  select: "*",
  from: "server_state",
  key: { key: "key" },
});

describe("PostgreSQL goes away", () => {
  test("OPS7 while the database is away requests are 503 with Retry-After, and service resumes by itself", async () => {
    const store = await makeStore("postgres");
    const direct = new URL(store.settings.SVC_DATABASE_URL ?? "");
    const port = await freePort();
    const cable = new Cable(direct, port);
    await cable.mend();
    const through = new URL(direct);
    through.port = String(port);
    const settings = {
      ...store.settings,
      SVC_DATABASE_URL: through.href,
      SVC_LOG_LEVEL: "silent",
      SVC_RATE_LIMIT: "100000",
    };
    const app = await makeApp(readConfig(settings));
    try {
      const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
      const { token } = await app.services.database.transaction(async (tx) => {
        const user = await createUser(tx, { email: "a@example.com", name: "A", passwordHash: "unused" });
        return createToken(tx, { userId: user.userId, workspaceId: user.workspaceId, name: "t", access: "read_write" });
      });
      const client = new Client(url, token);
      assert.equal((await client.get("/me")).status, 200);

      const busy = Array.from({ length: 20 }, () => client.get("/me/quota"));
      const waiting = app.services.database
        .transaction((tx) => sql`select pg_sleep(5)`.execute(tx))
        .catch((error) => error);
      await sleep(50);
      await cable.cut();
      for (const reply of await Promise.all(busy)) assert.ok([200, 503].includes(reply.status), reply.text);
      assert.equal((await waiting).name, "DatabaseUnavailable");

      const gone = await client.get("/me");
      assertError(gone, "unavailable");
      assert.match(gone.headers.get("retry-after") ?? "", /^\d+$/);
      assert.match(gone.headers.get("x-ratelimit-limit") ?? "", /^\d+$/);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.equal((await fetch(`${url}/readyz`)).status, 503);

      await cable.mend();
      assert.equal((await client.get("/me")).status, 200);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
    } finally {
      await app.close();
      await cable.cut();
      await store.remove();
    }
  });

  test("statements prepared before a migration are prepared again after it", async () => {
    const { url, drop } = await makeDatabase();
    const database = await openPostgres(url, { warn: () => undefined });
    try {
      const find = (key: string) => findState(database.read, { key });
      const inTransaction = () =>
        database.transaction((tx) => tx.selectFrom("server_state").selectAll().where("key", "=", "secret").execute());
      await Promise.all([find("secret"), find("secret"), inTransaction(), inTransaction()]);
      await database.transaction((tx) => sql`alter table server_state add column more text`.execute(tx));
      await Promise.all([find("secret"), find("secret"), inTransaction(), inTransaction()]);
    } finally {
      await database.close();
      await drop();
    }
  });
});
