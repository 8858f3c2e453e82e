import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { migrateFile } from "./open.ts";
import { SnapshotReaders } from "./snapshots.ts";

test("many concurrent snapshots leave a limited number of readers open, and sequential ones reuse one", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-snapshots-"));
  const file = join(directory, "svc.db");
  await migrateFile(file);
  const readers = new SnapshotReaders(file);
  try {
    const read = (wait: number) =>
      readers.run(async (db) => {
        await sleep(wait);
        return db.selectFrom("documents").selectAll().execute();
      });
    for (let i = 0; i < 5; i++) assert.deepEqual(await read(0), []);
    assert.equal(readers.idle, 1);
    await Promise.all(Array.from({ length: 50 }, () => read(20)));
    assert.equal(readers.idle, 32);
    assert.deepEqual(await read(0), []);
    assert.equal(readers.idle, 32);
  } finally {
    readers.close();
    rmSync(directory, { recursive: true });
  }
});
