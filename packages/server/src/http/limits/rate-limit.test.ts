import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqlite } from "../../db/sqlite/open.ts";
import { RateLimiter } from "./rate-limit.ts";

const LIMIT = 100;

test("RATE5 a process that counts for itself keeps to the limit, and gives back none of what it counted alone", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-rate-limit-"));
  const file = join(directory, "svc.db");
  const store = await openSqlite(file, { waitMs: 20 });
  const other = new DatabaseSync(file);
  const used = () => other.prepare("select used from rate_windows").get()?.used;
  const limiter = new RateLimiter(store, LIMIT, 86_400);
  const admitted = async (requests: number): Promise<number> => {
    let count = 0;
    for (let i = 0; i < requests; i++) if ((await limiter.take("ada")).admitted) count++;
    return count;
  };
  try {
    assert.equal(await admitted(1), 1);
    const counted = used();
    assert.ok(Number(counted) >= 1);
    other.exec("begin immediate");
    assert.equal(await admitted(20), 20);
    other.exec("commit");
    await limiter.release();
    assert.equal(used(), counted);
    other.exec("begin immediate");
    assert.equal(await admitted(LIMIT + 20), LIMIT);
    other.exec("commit");
  } finally {
    other.close();
    await store.close();
    rmSync(directory, { recursive: true });
  }
});
