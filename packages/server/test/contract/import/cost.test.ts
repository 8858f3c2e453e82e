import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { imported } from "../../support/archives.ts";
import { startImport, zipOf } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const MB = 1024 * 1024;

/** A manifest that is full of lists. */
const manifestOf = (bytes: number, list = "[1234567]"): string => {
  const lists = Math.floor(bytes / (list.length + 1));
  return `{"format":"svc-knowledge-base","x":[${`${list},`.repeat(lists)}[]]}`;
};

/** So many documents that a manifest of this length is accepted. */
const documentsFor = (bytes: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: Math.ceil(bytes / 4096) }, (_, n) => [`d/${n}.md`, "x"]));

/**
 * The most that this thread, which serves, computed while somebody waited for an answer about its health. On a machine
 * that has nothing else to do that is the wait itself.
 */
async function slowestHealth(world: World, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let slowest = 0;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const before = process.threadCpuUsage();
    assert.equal((await fetch(`${world.directUrl}/healthz`)).status, 200);
    const { user, system } = process.threadCpuUsage(before);
    slowest = Math.max(slowest, (user + system) / 1000);
    await sleep(10);
  }
  await over;
  return slowest;
}

onEachDatabase("what an import may cost", (world) => {
  test("IMP8 a manifest is no longer than its documents can need", async () => {
    const { client } = await world.person();
    const bomb = await zipOf({ "a.md": "x", "manifest.json": manifestOf(80 * 1024) });
    const job = await imported(client, bomb);
    assert.deepEqual([job.status, job.error.code], ["failed", "archive_too_large"]);
    const fits = await zipOf({ ...documentsFor(16 * 1024), "manifest.json": manifestOf(70 * 1024) });
    assert.equal(
      (await imported(client, fits)).error.code,
      "invalid_archive",
      "long enough to be read and found wrong",
    );
  });

  test("IMP8 a manifest that would take many times its length in memory is not parsed", async () => {
    const { client } = await world.person();
    const bytes = 12 * MB;
    const job = await imported(
      client,
      await zipOf({ ...documentsFor(bytes), "manifest.json": manifestOf(bytes, "[]") }),
    );
    assert.equal(job.error.code, "invalid_archive");
    assert.match(job.error.message, /too many objects and lists/);
  });

  test("IMP8 the worst archive that is read holds up nobody", { timeout: 240_000 }, async () => {
    const { client } = await world.person();
    const bytes = 60 * MB;
    const paragraphs = "word ".repeat(20).concat("\n\n").repeat(10_000);
    const bomb = await zipOf({ ...documentsFor(bytes), "manifest.json": manifestOf(bytes) });
    const long = await zipOf({ "long.md": paragraphs, "other.md": paragraphs });
    for (const [archive, status] of [
      [bomb, "failed"],
      [long, "succeeded"],
    ] as const) {
      const { id } = await startImport(client, archive);
      const ended = jobEnded(client, "import-jobs", id).then((job) => assert.equal(job.status, status));
      const slowest = await slowestHealth(world, ended);
      assert.ok(slowest < 200, `health took ${Math.round(slowest)} ms`);
    }
  });
});

onEachDatabase(
  "an import that takes too long",
  (world) => {
    test("IMP8 it ends after its time, with the reason, and leaves nothing", async () => {
      const { client } = await world.person();
      const job = await imported(client, await zipOf(documentsFor(12 * MB)));
      assert.deepEqual([job.status, job.error.code], ["failed", "import_timeout"]);
      assert.deepEqual((await client.get("/knowledge-bases")).data, []);
      assert.deepEqual(await Array.fromAsync(world.app.services.blobs.list("")), []);
    });
  },
  { SVC_IMPORT_TIMEOUT_S: "1" },
);
