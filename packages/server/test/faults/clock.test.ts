import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, type Loose } from "../support/client.ts";
import { ServerClock } from "../support/clock.ts";
import { databases, makeStore } from "../support/world.ts";
import { FaultSite } from "./mixed/site.ts";

const HOUR_MS = 60 * 60 * 1000;

describe("the clock steps under mixed load", { concurrency: true }, () => {
  for (const kind of databases)
    test(`FAULT13 forward and back, with a kill -9 after each: order, leases, keys and limits hold [${kind}]`, {
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
