import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { Client, type Loose } from "../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../support/fixtures.ts";
import { startServer, svc } from "../support/process.ts";
import { hookTo, type Received, startReceiver, startSlowReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { databases, makeStore } from "../support/world.ts";

/** A receiver's answer that accepts once `open` is called. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    answer: (response: ServerResponse) => void promise.then(() => response.writeHead(204).end()),
    open: resolve,
  };
}

const idsOf = (messages: readonly Received[]): number[] => messages.map(({ data }) => data.event_id);
const following = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n + 1);
/** Each where it first came. */
const firsts = (ids: readonly number[]): number[] => [...new Set(ids)];

async function makeEvents(clients: readonly Client[], count: number): Promise<void> {
  const { id } = await makeKnowledgeBase(defined(clients[0]));
  for (let n = 0; n < count; n += clients.length)
    await Promise.all(clients.map((client) => makeDocument(client, { knowledge_base_id: id })));
}

for (const kind of databases)
  describe(`webhooks under fire [${kind}]`, () => {
    let store: Awaited<ReturnType<typeof makeStore>>;
    let settings: Record<string, string>;
    let token: string;
    before(async () => {
      store = await makeStore(kind);
      settings = { ...store.settings, SVC_RATE_LIMIT: "1000000", SVC_WEBHOOK_PRIVATE_ADDRESSES: "on" };
      await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
      const made = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write");
      token = made.token;
    });
    after(() => store.remove());

    test("HOOK15 killed in the middle, nothing is lost and only what was under way comes twice", async () => {
      await using first = await startServer(settings);
      const [atFirst, atEleventh] = [gate(), gate()];
      const answerOf = (count: number) => (count === 1 ? atFirst.answer : count < 11 ? 204 : atEleventh.answer);
      await using receiver = await startReceiver((_, count) => answerOf(count));
      const client = new Client(first.url, token);
      const hook = await hookTo(client, receiver);
      await makeEvents([client], 30);
      // All others are taken together once the first has ended, so no new event announces them to the next process.
      await until("the first is under way", () => receiver.seen.length === 1);
      atFirst.open();
      await until("one in the middle is under way", () => receiver.seen.length === 11);
      const { data: taken } = await client.get(`/webhooks/${hook.id}/deliveries?limit=100`);
      assert.equal(taken.length, 30);
      await first.stop("SIGKILL");
      atEleventh.open();
      await using second = await startServer(settings);
      await until("all have come", () => firsts(idsOf(receiver.received)).length === 30);
      const ids = idsOf(receiver.received);
      assert.deepEqual(firsts(ids), following(hook.last_event_id, 30), "in order");
      assert.equal(ids.length, 31, "the one that was under way comes twice");
      assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 30, "a repeat has the same id");
      await new Client(second.url, token).delete(`/webhooks/${hook.id}`);
    });

    test("HOOK16 two processes share the work: each event once, in order, one at a time", async () => {
      const servers = await Promise.all([startServer(settings), startServer(settings)]);
      await using receiver = await startSlowReceiver(5);
      await using other = await startReceiver();
      try {
        const clients = servers.map((server) => new Client(server.url, token));
        const hooks = [await hookTo(defined(clients[0]), receiver), await hookTo(defined(clients[1]), other)];
        await makeEvents(clients, 40);
        await until("all have come", () => receiver.seen.length >= 40 && other.seen.length >= 40);
        for (const { received } of [receiver, other])
          assert.deepEqual(idsOf(received), following(hooks[0].last_event_id, 40));
        assert.equal(receiver.most, 1);
        for (const { id } of hooks) await defined(clients[0]).delete(`/webhooks/${id}`);
      } finally {
        await Promise.all(servers.map((server) => server.stop("SIGKILL")));
      }
    });

    test("HOOK15 a stop waits for what is under way, and a restart does not repeat it", async () => {
      await using first = await startServer(settings);
      const { answer, open } = gate();
      await using receiver = await startReceiver(() => answer);
      const client = new Client(first.url, token);
      const hook = await hookTo(client, receiver);
      await makeEvents([client], 3);
      await until("the first is under way", () => receiver.seen.length === 1);
      const stopped = first.stop("SIGTERM");
      await until("the stop has begun", () => first.stdout.includes('"stopping"'));
      open();
      assert.equal((await stopped).code, 0);
      await using second = await startServer(settings);
      await until("all are delivered", async () => {
        const { data } = await new Client(second.url, token).get(`/webhooks/${hook.id}/deliveries`);
        return data.length === 3 && data.every(({ status }: Loose) => status === "succeeded");
      });
      assert.deepEqual(idsOf(receiver.received), following(hook.last_event_id, 3));
    });
  });
