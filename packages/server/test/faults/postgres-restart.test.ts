import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { Client } from "../support/client.ts";
import { OwnPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";
import { FaultSite, rounds } from "./mixed/site.ts";

describe("PostgreSQL fails under mixed load", () => {
  test("service recovers by itself from an abrupt restart and a read-only phase of PostgreSQL", {
    timeout: 580_000,
  }, async () => {
    const store = await makeStore("sqlite");
    const postgres = await OwnPostgres.start();
    try {
      const settings = { SVC_DATABASE_URL: postgres.url, SVC_WORKERS: "2", SVC_RATE_LIMIT_WINDOW_S: "1" };
      await using site = await FaultSite.start({ ...store.settings, ...settings });
      for (let round = 0; round < rounds(2); round++) {
        await site.load.more(40);
        await postgres.crash();
        await postgres.startAgain();
      }
      await site.load.more(40);
      await makeReadOnly(postgres, true);
      await refusesWrites(site);
      await makeReadOnly(postgres, false);
      await site.load.more(40);
      await site.check();
    } finally {
      await postgres.stop();
      await store.remove();
    }
  });
});

/** Makes the server behave like a standby, or like one that has run out of disk space. */
async function makeReadOnly({ url }: OwnPostgres, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set default_transaction_read_only = off");
  await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function refusesWrites(site: FaultSite): Promise<void> {
  const client = new Client(site.url, site.token);
  const write = () => client.post("/knowledge-bases", { name: "Refused" });
  for (const deadline = Date.now() + 30_000; (await write()).status !== 503; )
    assert.ok(Date.now() < deadline, "writes go on");
  // Windows that nobody can count in the store have begun meanwhile.
  for (const deadline = Date.now() + 3000; Date.now() < deadline; )
    assert.equal((await client.get("/documents?limit=5")).status, 200);
  await until("readiness reports it", async () => {
    const readiness = await fetch(`${site.url}/readyz`);
    return readiness.status === 503 && (await readiness.text()).includes("database_not_writable");
  });
}
