import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../support/client.ts";
import { uploadForm } from "../support/fixtures.ts";
import { LoggingServer } from "../support/logging-server.ts";
import { OwnPostgres } from "../support/postgres.ts";
import { MAIN, runProgram, startServer } from "../support/process.ts";
import { noSmallDisk, SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";
import { FaultSite, rounds } from "./mixed/site.ts";

const MEGABYTES = 192;

test("a log device that is full does not stop the server", async () => {
  await using server = await LoggingServer.start("/dev/full");
  for (let i = 0; i < 20; i++) assert.equal((await fetch(`${server.url}/api/v1/me`)).status, 401);
  await until("the failures are counted", async () => (await server.lostLines()) > 0);
  assert.equal(await server.stop(), 0);
});

describe("the disk fails under mixed load", { skip: noSmallDisk() }, () => {
  test("OPS1 on a full disk writes and readiness are 503 and reads work, and service resumes once there is space", {
    timeout: 580_000,
  }, async () => {
    using disk = new SmallDisk(MEGABYTES);
    await using site = await FaultSite.start({ SVC_DATA_DIR: disk.directory });
    for (let round = 0; round < rounds(1); round++) {
      await site.load.more(80);
      disk.fill();
      await refusesWrites(site);
      await until("readiness says so", async () => (await readiness(site)) === 503);
      disk.empty();
      await until("it is ready again", async () => (await readiness(site)) === 200);
    }
    await site.load.more(80);
    await site.check();
  });

  test("with a full attachment disk an upload is 503 and leaves nothing behind", async () => {
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

  test("with PostgreSQL's disk full writes are 503, and service resumes once it has space", {
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

  test("a log on a full disk does not stop requests, and resumes when there is space", async () => {
    using disk = new SmallDisk(16);
    const file = join(disk.directory, "log");
    await using server = await LoggingServer.start(file);
    disk.fill();
    await until("a line is lost", async () => (await server.lostLines()) > 0);
    for (let i = 0; i < 200; i++) assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    disk.empty();
    const sizeBefore = statSync(file).size;
    await until("the log goes on", async () => {
      await fetch(`${server.url}/api/v1/me`);
      return statSync(file).size > sizeBefore;
    });
  });

  test("a store that cannot be written stops the start with one line", async () => {
    using disk = new SmallDisk(16);
    const settings = { SVC_DATA_DIR: disk.directory, SVC_PORT: "0" };
    await (await startServer(settings)).stop();
    disk.makeReadOnly();
    const done = await runProgram(MAIN, [], settings);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /^svc: Setting SVC_DATA_DIR is .*read-?only.*\n$/i);
  });
});

const readiness = async ({ url }: FaultSite) => (await fetch(`${url}/readyz`)).status;

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
