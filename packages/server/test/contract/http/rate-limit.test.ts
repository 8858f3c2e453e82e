import assert from "node:assert/strict";
import { before, describe, mock, test } from "node:test";
import { assertError, Client } from "../../support/client.ts";
import { startServer, svc } from "../../support/process.ts";
import { stayInOneDay } from "../../support/until.ts";
import { databases, makeStore, onEachDatabase, type Person } from "../../support/world.ts";

const HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

onEachDatabase(
  "rate limit",
  (world) => {
    let ada: Person;
    before(async () => {
      await stayInOneDay();
      ada = await world.person();
    });

    test("RATE1 every answer under /api/ tells the window, refusals too", async () => {
      const paths = ["/me", "/me?x=1", "/nothing", "/api/nothing", "/api/openapi.json"];
      const replies = [
        ...(await Promise.all(paths.map((path) => ada.client.get(path)))),
        await ada.client.post("/me", {}),
        await new Client(world.url).get("/me"),
        await new Client(world.url, "svc_tok_wrong").get("/me"),
      ];
      for (const reply of replies)
        for (const name of HEADERS) assert.match(reply.headers.get(name) ?? "", /^\d+$/, `${name}: ${reply.text}`);
      const reset = Number(replies[0]?.headers.get("x-ratelimit-reset"));
      assert.ok(reset > Date.now() / 1000 && reset <= Date.now() / 1000 + 86_401, "epoch seconds");
    });

    test("RATE2 remaining counts down by one, then 429 with Retry-After, for this token alone", async () => {
      const bob = await world.person();
      const eve = await world.person();
      const left: number[] = [];
      for (let n = 0; n < 40; n++) {
        const reply = await bob.client.get("/me");
        assert.equal(reply.status, 200, reply.text);
        left.push(Number(reply.headers.get("x-ratelimit-remaining")));
      }
      assert.deepEqual(
        left,
        Array.from({ length: 40 }, (_, n) => 39 - n),
      );
      const refused = await bob.client.get("/me");
      const details = assertError(refused, "rate_limited");
      assert.equal(refused.headers.get("retry-after"), String(details.retry_after));
      assert.equal(refused.headers.get("x-ratelimit-remaining"), "0");
      assert.ok(details.retry_after >= 1 && details.retry_after <= 86_400);
      assert.equal((await eve.client.get("/me")).status, 200);
    });

    test("RATE3 a restart gives nobody a new window", async () => {
      const bob = await world.person();
      for (let n = 0; n < 30; n++) assert.equal((await bob.client.get("/me")).status, 200);
      await world.restart();
      const client = new Client(world.url, bob.token);
      const statuses = [];
      for (let n = 0; n < 12; n++) statuses.push((await client.get("/me")).status);
      assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
    });
  },
  { SVC_RATE_LIMIT: "40", SVC_RATE_LIMIT_WINDOW_S: "86400" },
);

onEachDatabase(
  "rate limit with large batches",
  (world) => {
    before(stayInOneDay);

    test("RATE4 most requests write nothing", async () => {
      const ada = await world.person();
      await ada.client.get("/me");
      const { database } = world.app.services;
      const spy = mock.method(database, "transaction");
      for (let n = 0; n < 300; n++) assert.equal((await ada.client.get("/me")).status, 200);
      const writes = spy.mock.callCount();
      spy.mock.restore();
      // Two leases, and what works in the background for as long as the requests take.
      assert.ok(writes <= 60, `${writes} transactions for 300 requests`);
    });
  },
  { SVC_RATE_LIMIT: "10000", SVC_RATE_LIMIT_WINDOW_S: "86400" },
);

for (const kind of databases)
  describe(`rate limit of two processes [${kind}]`, () => {
    test("RATE5 together they admit no more than the limit, and nearly all of it", async () => {
      const LIMIT = 300;
      await stayInOneDay();
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: String(LIMIT), SVC_RATE_LIMIT_WINDOW_S: "86400" };
      const servers = await Promise.all([startServer(settings), startServer(settings)]);
      try {
        await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
        const made = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_only");
        const statuses = await Promise.all(
          servers.flatMap((server) =>
            Array.from({ length: 250 }, async () => (await new Client(server.url, made.token).get("/me")).status),
          ),
        );
        const admitted = statuses.filter((status) => status === 200).length;
        assert.ok(statuses.every((status) => status === 200 || status === 429));
        assert.ok(admitted <= LIMIT, `${admitted} of ${LIMIT}`);
        assert.ok(admitted >= LIMIT * 0.95, `${admitted} of ${LIMIT}`);
        await servers[0].stop("SIGKILL");
        const next = await startServer(settings);
        servers[0] = next;
        let later = 0;
        for (let n = 0; n < 20; n++) if ((await new Client(next.url, made.token).get("/me")).status === 200) later++;
        assert.ok(admitted + later <= LIMIT, "a killed process brings no permits back");
      } finally {
        await Promise.all(servers.map((server) => server.stop()));
        await store.remove();
      }
    });
  });
