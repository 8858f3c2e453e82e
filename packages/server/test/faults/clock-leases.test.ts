import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { admit, signInSubjects } from "@svc/server/domain/identity/attempts/slow-down";
import { Client } from "../support/client.ts";
import { ServerClock } from "../support/clock.ts";
import { EventReader } from "../support/event-reader.ts";
import { makeDocument, makeKnowledgeBase } from "../support/fixtures.ts";
import { type ServerProcess, startServer, svc } from "../support/process.ts";
import { hookTo, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { databases, makeStore, onEachDatabase } from "../support/world.ts";

const HOUR_MS = 60 * 60 * 1000;

onEachDatabase("what was set before the clock was put back", (world) => {
  test("wrong passwords delay nobody for hours when the clock steps", async () => {
    const { database } = world.app.services;
    const subjects = signInSubjects({ email: "ada@example.com", address: "192.0.2.1" });
    const now = Date.now();
    let wait = 0;
    for (let tries = 0; wait === 0 && tries < 20; tries++) wait = await admit(database, subjects, now);
    assert.ok(wait > 0, "so many wrong ones at once have to wait");
    assert.equal(await admit(database, subjects, now - 2 * HOUR_MS), 0);
  });
});

/** Far less than the clock is off, far more than a lease and a poll take. */
const SOON_MS = 45_000;

/** A workspace with a webhook that an own process, whose clock can be set, looks after. */
class Site implements AsyncDisposable {
  readonly clock = new ServerClock();
  #store!: Awaited<ReturnType<typeof makeStore>>;
  settings!: Record<string, string>;
  token!: string;
  server!: ServerProcess;
  #knowledgeBase = 0;

  static async start(kind: (typeof databases)[number]): Promise<Site> {
    const site = new Site();
    site.#store = await makeStore(kind);
    site.settings = {
      ...site.#store.settings,
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
      SVC_WEBHOOK_RETRY_MS: "2000",
      SVC_SSE_MAX_CONNECTIONS_PER_TOKEN: "2",
    };
    const ada = ["--email", "a@example.com"];
    await svc(site.settings, "users", "create", ...ada, "--name", "A", "--password", "x");
    site.token = (await svc(site.settings, "tokens", "create", ...ada, "--access", "read_write")).token;
    site.server = await site.another();
    return site;
  }

  another(clock = this.clock): Promise<ServerProcess> {
    return startServer({ ...this.settings, ...clock.settings });
  }

  client(server = this.server): Client {
    return new Client(server.url, this.token);
  }

  async makeEvents(count: number, client = this.client()): Promise<void> {
    this.#knowledgeBase ||= (await makeKnowledgeBase(client)).id;
    for (let n = 0; n < count; n++) await makeDocument(client, { knowledge_base_id: this.#knowledgeBase });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop("SIGKILL");
    await this.#store.remove();
    this.clock[Symbol.dispose]();
  }
}

async function soon(what: string, isSo: () => boolean): Promise<void> {
  const begun = performance.now();
  await until(what, isSo);
  const took = performance.now() - begun;
  assert.ok(took < SOON_MS, `${what} after ${took} ms`);
}

const answering = (status: () => number, ms = 0) =>
  startReceiver(() => (response) => {
    setTimeout(() => response.writeHead(status()).end(), ms);
  });

const idsOf = ({ received }: Receiver): number[] => received.map(({ data }) => data.event_id);

for (const kind of databases)
  describe(`leases and waits when the clock steps [${kind}]`, () => {
    for (const offset of [3 * HOUR_MS, -3 * HOUR_MS])
      test(`a released webhook is served again at once, and a failed attempt retried soon [${offset}]`, async () => {
        await using site = await Site.start(kind);
        let status = 204;
        await using receiver = await answering(() => status);
        await hookTo(site.client(), receiver);
        await site.makeEvents(1);
        await soon("the first has come", () => receiver.received.length === 1);
        await site.clock.set(offset);
        await site.makeEvents(1);
        await soon("one after the step has come", () => receiver.received.length === 2);
        status = 500;
        await site.makeEvents(1);
        await soon("it is refused", () => receiver.received.length === 3);
        await site.clock.set(0);
        status = 204;
        await soon("it is repeated", () => new Set(idsOf(receiver)).size === 3 && receiver.received.length >= 4);
      });

    test("a process whose clock is hours off takes over only what dead processes held", async () => {
      await using site = await Site.start(kind);
      await using receiver = await answering(() => 204, 6000);
      await hookTo(site.client(), receiver);
      const streams = await Promise.all([1, 2].map(() => EventReader.open(site.server.url, site.token)));
      using ahead = new ServerClock();
      using behind = new ServerClock();
      await Promise.all([ahead.set(3 * HOUR_MS), behind.set(-3 * HOUR_MS)]);
      const others = [await site.another(ahead), await site.another(behind)];
      try {
        await site.makeEvents(4);
        await soon("two have been sent", () => receiver.seen.length === 2);
        assert.equal(new Set(idsOf(receiver)).size, receiver.received.length, "one process at a time");
        for (const { url } of others)
          assert.equal((await EventReader.open(url, site.token)).status, 429, "its streams count");
        await site.server.stop("SIGKILL");
        await soon("all have come", () => new Set(idsOf(receiver)).size === 4);
        assert.ok(receiver.seen.length <= 5, "only what was under way comes twice");
        const again = await EventReader.open(defined(others[1]).url, site.token);
        assert.equal(again.status, 200, "its streams hold nobody's place");
        again.close();
      } finally {
        for (const stream of streams) stream.close();
        await Promise.all(others.map((server) => server.stop("SIGKILL")));
      }
    });
  });
