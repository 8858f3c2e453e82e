import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client, type Loose } from "../support/client.ts";
import { ServerClock } from "../support/clock.ts";
import { startServer } from "../support/process.ts";
import { databases, makeStore } from "../support/world.ts";
import { FaultSite } from "./mixed/site.ts";

const HOUR_MS = 60 * 60 * 1000;
const LIMIT = 20;
const WINDOW_S = 3600;

describe("the clock steps under mixed load", { concurrency: true }, () => {
  for (const kind of databases)
    test(`clock steps forward and back, each followed by kill -9, keep order, leases, keys and limits [${kind}]`, {
      timeout: 580_000,
    }, async () => {
      const store = await makeStore(kind);
      using clock = new ServerClock();
      {
        await using site = await FaultSite.start({ ...store.settings, ...clock.settings });
        const client = new Client(site.url, site.token);
        for (const offset of [2 * HOUR_MS, -2 * HOUR_MS]) {
          await site.load.more(40);
          await clock.set(offset);
          await site.load.more(40);
          await site.server.stop("SIGKILL");
          await site.restart();
          assert.equal((await client.get("/me")).status, 200);
          await isListedWhole(site, client);
        }
        await site.load.more(40);
        await site.check();
      }
      await store.remove();
    });
});

describe("tokens and limits when the clock steps", { concurrency: true }, () => {
  for (const kind of databases)
    test(`a token expires and becomes valid again with the clock, and nobody waits longer than a window [${kind}]`, async () => {
      const store = await makeStore(kind);
      using clock = new ServerClock();
      const settings = { ...store.settings, ...clock.settings, SVC_RATE_LIMIT: String(LIMIT) };
      {
        await using server = await startServer(settings);
        const database = await connect(readConfig(settings), { warn: () => undefined });
        const [lasting, short] = await makeTokens(database, [undefined, Date.now() + HOUR_MS]);
        await database.close();
        const status = async (token: string) => (await new Client(server.url, token).get("/me")).status;
        assert.equal(await status(short), 200);
        for (const [offset, ofShort] of [
          [2 * HOUR_MS, 401],
          [-2 * HOUR_MS, 200],
        ] as const) {
          await clock.set(offset + untilMiddleOfWindow());
          assert.equal(await status(short), ofShort);
          const statuses: number[] = [];
          for (let n = 0; n < LIMIT + 2; n++) statuses.push(await status(lasting));
          assert.deepEqual(statuses, [...Array(LIMIT).fill(200), 429, 429], "a window of its own, and no more than it");
        }
        const reply = await new Client(server.url, lasting).get("/me");
        assert.ok(Number(reply.headers.get("retry-after")) <= WINDOW_S);
      }
      await store.remove();
    });
});

/** Windows begin with the hour: of requests around that moment more would pass. */
const untilMiddleOfWindow = (): number => HOUR_MS / 2 - (Date.now() % HOUR_MS);

function makeTokens(database: Database, ends: readonly (number | undefined)[]) {
  return database.transaction(async (tx) => {
    const { userId, workspaceId } = await createUser(tx, {
      email: "ada@example.com",
      name: "Ada",
      passwordHash: "unused",
    });
    const made: string[] = [];
    for (const expiresAt of ends)
      made.push((await createToken(tx, { userId, workspaceId, name: "t", access: "read_write", expiresAt })).token);
    return [defined(made[0]), defined(made[1])] as const;
  });
}

/** A walk over the pages meets every document that was there when it began, once, whenever it was made. */
async function isListedWhole(site: FaultSite, client: Client): Promise<void> {
  const before = site.load.record.documents.filter((known) => !known.gone && !known.open).map(({ id }) => id);
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`/documents?limit=20&include_variants=true${cursor}`);
    seen.push(...body.data.map((document: Loose) => document.id));
    if (!body.page.has_more) break;
    cursor = `&cursor=${encodeURIComponent(body.page.next_cursor)}`;
  }
  assert.equal(new Set(seen).size, seen.length);
  const gone = new Set(
    site.load.record.documents.filter((known) => known.gone || known.isOpenDelete).map(({ id }) => id),
  );
  for (const id of before) assert.ok(seen.includes(id) || gone.has(id), id);
}
