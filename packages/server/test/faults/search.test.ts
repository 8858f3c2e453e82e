import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { Client, type Loose } from "../support/client.ts";
import { makeKnowledgeBase, markdown } from "../support/fixtures.ts";
import { type ServerProcess, startServer, svc } from "../support/process.ts";
import { databases, makeStore } from "../support/world.ts";

type Settings = Record<string, string>;

async function makeToken(settings: Settings): Promise<string> {
  await svc(settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
  return (await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write")).token;
}

/** Every hit by a walk: block ids, with the words that stand there. */
async function walk(client: Client, q: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`/search/v2?q=${q}&mode=exhaustive&limit=100${cursor}`);
    found.push(...body.data.map(({ context }: Loose) => context.match + context.after));
    if (!body.page.has_more) return found.sort();
    cursor = `&cursor=${encodeURIComponent(body.page.next_cursor)}`;
  }
}

/** Segments of the store that no reader sees, once the background has had its time. */
async function leftovers(settings: Settings): Promise<number> {
  const database = await connect(readConfig(settings), { warn: () => undefined });
  try {
    for (let i = 0; i < 500; i++) {
      const gone = await database.read
        .selectFrom("search_segments")
        .select("id")
        .where("state", "!=", "live")
        .execute();
      const busy = await database.read
        .selectFrom("search_counters")
        .select("workspace_id")
        .where((eb) => eb.or([eb("level_zero", ">=", 16), eb("backlog", "=", 1)]))
        .execute();
      if (gone.length + busy.length === 0) return 0;
      await sleep(50);
    }
    return 1;
  } finally {
    await database.close();
  }
}

const textOf = (n: number) => markdown(Array.from({ length: 6 }, (_, i) => `vole d${n} b${i}`).join("\n\n"));
const linesOf = (n: number) => Array.from({ length: 6 }, (_, i) => `vole d${n} b${i}`);

for (const kind of databases)
  describe(`faults of the search index [${kind}]`, () => {
    test("SRCH22 killed again and again while writing and merging: all that was acknowledged is found, once", async () => {
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: "1000000" };
      let server: ServerProcess | undefined;
      try {
        const token = await makeToken(settings);
        const acknowledged: number[] = [];
        const unsure: number[] = [];
        let base: Loose;
        for (let round = 0; round < 2; round++) {
          server = await startServer(settings);
          const client = new Client(server.url, token);
          base ??= await makeKnowledgeBase(client);
          const { child } = server;
          const numbers = Array.from({ length: 50 }, (_, i) => round * 50 + i);
          const writing = Promise.all(
            numbers.map(async (n) => {
              const body = { title: "T", knowledge_base_id: base.id, content: textOf(n) };
              const isIn = await client.post("/documents", body).then(
                (reply) => reply.status === 201,
                () => false,
              );
              (isIn ? acknowledged : unsure).push(n);
              if (acknowledged.length >= 30 * (round + 1)) child.kill("SIGKILL");
            }),
          );
          await writing;
          await server.stop("SIGKILL");
        }
        server = await startServer(settings);
        const client = new Client(server.url, token);
        const found = await walk(client, "vole");
        assert.equal(new Set(found).size, found.length);
        for (const n of acknowledged) for (const line of linesOf(n)) assert.ok(found.includes(line), line);
        const possible = new Set([...acknowledged, ...unsure].flatMap(linesOf));
        for (const line of found) assert.ok(possible.has(line), line);
        const body = { title: "T", knowledge_base_id: base.id, content: textOf(999) };
        for (let i = 0; i < 20; i++) assert.equal((await client.post("/documents", body)).status, 201);
        assert.equal(await leftovers(settings), 0);
        assert.equal((await walk(client, "vole")).length, found.length + 20 * 6);
      } finally {
        await server?.stop("SIGKILL");
        await store.remove();
      }
    });

    test("SRCH22 two servers on one store: what one writes the other finds, and both say the same", async () => {
      const store = await makeStore(kind);
      const settings = { ...store.settings, SVC_RATE_LIMIT: "1000000" };
      const servers: ServerProcess[] = [];
      try {
        const token = await makeToken(settings);
        for (let i = 0; i < 2; i++) servers.push(await startServer(settings));
        const clients = servers.map(({ url }) => new Client(url, token));
        const base = await makeKnowledgeBase(defined(clients[0]));
        const write = async (n: number): Promise<void> => {
          const body = { title: "T", knowledge_base_id: base.id, content: textOf(n) };
          const client = defined(clients[n % 2]);
          assert.equal((await client.post("/documents", body)).status, 201);
          const seen = await defined(clients[(n + 1) % 2]).get(`/search/v2?q=d${n}`);
          assert.equal(seen.body.hits.total, 6);
        };
        for (let n = 0; n < 60; n += 6) await Promise.all(Array.from({ length: 6 }, (_, i) => write(n + i)));
        const expected = Array.from({ length: 60 }, (_, n) => linesOf(n))
          .flat()
          .sort();
        for (const client of clients) assert.deepEqual(await walk(client, "vole"), expected);
        const [one, two] = await Promise.all(clients.map((client) => client.get("/search/v2?q=vole")));
        assert.deepEqual(defined(one).data, defined(two).data);
        assert.equal(await leftovers(settings), 0);
        for (const client of clients) assert.deepEqual(await walk(client, "vole"), expected);
      } finally {
        for (const server of servers) await server.stop("SIGKILL");
        await store.remove();
      }
    });
  });
