import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../support/fixtures.ts";
import { type ServerProcess, startServer, svc } from "../support/process.ts";
import { hookTo, type Received, startReceiver, until } from "../support/receiver.ts";
import { databases, makeStore } from "../support/world.ts";

type Settings = Record<string, string>;

async function makeToken(settings: Settings): Promise<string> {
  await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
  return (await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write")).token;
}

const idsOf = (messages: readonly Received[]): number[] => messages.map(({ data }) => data.event_id);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Each where it first came. */
const firsts = (ids: readonly number[]): number[] => [...new Set(ids)];

for (const kind of databases)
  describe(`webhooks under fire [${kind}]`, () => {
    const inStore = async (work: (settings: Settings, token: string) => Promise<void>) => {
      const store = await makeStore(kind);
      const settings = {
        ...store.settings,
        SVC_RATE_LIMIT: "1000000",
        SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
        SVC_WEBHOOK_RETRY_MS: "20",
      };
      try {
        await work(settings, await makeToken(settings));
      } finally {
        await store.remove();
      }
    };

    test("HOOK15 killed in the middle, nothing is lost and only what was under way comes twice", () =>
      inStore(async (settings, token) => {
        let server = await startServer(settings);
        const answerAfter = (ms: number) => (response: { writeHead(status: number): { end(): void } }) =>
          void setTimeout(() => response.writeHead(204).end(), ms);
        await using receiver = await startReceiver(() => answerAfter(10));
        try {
          const client = new Client(server.url, token);
          await hookTo(client, receiver);
          const { id } = await makeKnowledgeBase(client);
          for (let n = 0; n < 40; n++) await makeDocument(client, { knowledge_base_id: id });
          let kills = 0;
          for (const seen of [5, 20]) {
            await until("some have come", () => receiver.seen.length >= seen);
            await server.stop("SIGKILL");
            kills++;
            server = await startServer(settings);
          }
          await until("all have come", () => firsts(idsOf(receiver.received)).length === 40);
          const ids = idsOf(receiver.received);
          assert.deepEqual(firsts(ids), upTo(40), "in order");
          assert.ok(ids.length <= 40 + kills, `${ids.length} requests after ${kills} kills`);
          const repeated = receiver.received.filter(({ data }, index) => ids.indexOf(data.event_id) !== index);
          for (const { id, data } of repeated)
            assert.equal(id, receiver.received.find((one) => one.data.event_id === data.event_id)?.id, "the same id");
        } finally {
          await server.stop("SIGKILL");
        }
      }));

    test("HOOK16 two processes share the work: each event once, in order, one at a time", () =>
      inStore(async (settings, token) => {
        const servers = await Promise.all([startServer(settings), startServer(settings)]);
        let open = 0;
        let most = 0;
        await using receiver = await startReceiver(() => (response) => {
          most = Math.max(most, ++open);
          setTimeout(() => {
            open--;
            response.writeHead(204).end();
          }, 5);
        });
        await using other = await startReceiver();
        try {
          const [one, two] = servers.map((server: ServerProcess) => new Client(server.url, token));
          await hookTo(one!, receiver);
          await hookTo(two!, other);
          const { id } = await makeKnowledgeBase(one!);
          for (let n = 0; n < 30; n++)
            await Promise.all([one!, two!].map((client) => makeDocument(client, { knowledge_base_id: id })));
          await until("all have come", () => receiver.seen.length >= 60 && other.seen.length >= 60);
          await sleep(200);
          assert.deepEqual(idsOf(receiver.received), upTo(60));
          assert.deepEqual(idsOf(other.received), upTo(60));
          assert.equal(most, 1);
          await servers[0]!.stop("SIGKILL");
          await makeDocument(two!, { knowledge_base_id: id });
          await until("the other goes on", () => receiver.seen.length >= 61 && other.seen.length >= 61);
        } finally {
          await Promise.all(servers.map((server) => server.stop("SIGKILL")));
        }
      }));

    test("HOOK15 a stop waits for what is under way, and a restart does not repeat it", () =>
      inStore(async (settings, token) => {
        let server = await startServer(settings);
        await using receiver = await startReceiver(() => (response) => {
          setTimeout(() => response.writeHead(204).end(), 300);
        });
        try {
          const client = new Client(server.url, token);
          await hookTo(client, receiver);
          const { id } = await makeKnowledgeBase(client);
          for (let n = 0; n < 3; n++) await makeDocument(client, { knowledge_base_id: id });
          await until("the first is under way", () => receiver.seen.length === 1);
          assert.equal((await server.stop("SIGTERM")).code, 0);
          server = await startServer(settings);
          await until("all have come", () => receiver.seen.length >= 3);
          await sleep(400);
          assert.deepEqual(idsOf(receiver.received), upTo(3));
        } finally {
          await server.stop("SIGKILL");
        }
      }));
  });
