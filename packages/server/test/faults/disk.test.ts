import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { uploadForm } from "../support/fixtures.ts";
import { OwnPostgres } from "../support/postgres.ts";
import { MAIN, runProgram, startServer } from "../support/process.ts";
import { noSmallDisk, SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";
import { FaultSite, rounds } from "./mixed/site.ts";

const MEGABYTES = 192;

describe("the disk fails under mixed load", { skip: noSmallDisk() }, () => {
  test("FAULT11 it is full: writes are 503, reads go on, and with room again so does everything", {
    timeout: 580_000,
  }, async () => {
    using disk = new SmallDisk(MEGABYTES);
    await using site = await FaultSite.start({ SVC_DATA_DIR: disk.directory });
    for (let round = 0; round < rounds(1); round++) {
      await site.load.more(80);
      disk.fill();
      await refusesWrites(site);
      await sleep(500);
      disk.empty();
    }
    await site.load.more(80);
    await site.check();
  });

  test("FAULT11 the disk of the attachments is full: an upload is 503 and leaves nothing", async () => {
    const store = await makeStore("postgres");
    using disk = new SmallDisk(MEGABYTES);
    await using site = await FaultSite.start({ ...store.settings, SVC_DATA_DIR: disk.directory });
    await site.load.more(80);
    disk.fill();
    await refusesUploads(site);
    disk.empty();
    await site.load.more(80);
    await site.check();
  });

  test("FAULT11 the disk of PostgreSQL is full: writes are 503, and when it has room and runs again so does everything", {
    timeout: 580_000,
  }, async () => {
    const store = await makeStore("sqlite");
    using disk = new SmallDisk(2 * MEGABYTES);
    const postgres = await OwnPostgres.start({ parent: disk.directory });
    try {
      await using site = await FaultSite.start({ ...store.settings, SVC_DATABASE_URL: postgres.url, SVC_WORKERS: "2" });
      await site.load.more(80);
      disk.fill();
      await refuses(site);
      await sleep(500);
      disk.empty();
      if (postgres.hasEnded) await postgres.startAgain();
      await site.load.more(80);
      await site.check();
    } finally {
      await postgres.stop();
      await store.remove();
    }
  });

  test("FAULT12 a store that cannot be written ends the start with one line", async () => {
    using disk = new SmallDisk(16);
    const settings = { SVC_DATA_DIR: disk.directory, SVC_PORT: "0" };
    await (await startServer(settings)).stop();
    disk.makeReadOnly();
    const done = await runProgram(MAIN, [], settings);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /^svc: Setting SVC_DATA_DIR is .*read-?only.*\n$/i);
  });
});

async function refusesWrites(site: FaultSite): Promise<void> {
  await refuses(site);
  const client = new Client(site.url, site.token);
  // A single read was 503 once in some thirty runs; asked again, as Retry-After says, it is answered.
  await until("reads go on", async () => (await client.get("/documents?limit=5")).status === 200);
}

/** Until the disk is met: what has been set aside before may still be used up. */
async function refuses(site: FaultSite): Promise<void> {
  const client = new Client(site.url, site.token);
  const body = {
    title: "Refused",
    knowledge_base_id: site.base,
    content: { format: "markdown", content: "x ".repeat(1e5) },
  };
  for (const deadline = Date.now() + 30_000; (await client.post("/documents", body)).status !== 503; )
    assert.ok(Date.now() < deadline, "writes go on");
}

async function refusesUploads(site: FaultSite): Promise<void> {
  const client = new Client(site.url, site.token);
  const { data } = await client.get("/documents?limit=1");
  const reply = await client.post("/attachments", uploadForm(data[0].id, new Uint8Array(500_000)));
  assert.equal(reply.status, 503, reply.text);
  assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
}
