import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { sql } from "kysely";
import { DatabaseUnavailable, type Store, type Tx } from "../database.ts";
import { statement } from "../statement/statement.ts";
import { openSqlite } from "./open.ts";

const findState = statement<{ key: string }, { value: string }>({
  select: "value",
  from: "server_state",
  key: { key: "key" },
});

describe("transactions on SQLite", () => {
  let directory: string;
  let database: Store;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "svc-sqlite-"));
    database = await openSqlite(join(directory, "svc.db"));
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const put = (tx: Tx, key: string, value = "") => tx.insertInto("server_state").values({ key, value }).execute();
  /** Without what the migrations noted. */
  const written = () =>
    database.read.selectFrom("server_state").select("key").where("key", "!=", "readable_since").orderBy("key");
  const keys = async () => (await written().execute()).map((row) => row.key);

  test("a failing transaction undoes itself alone among those that share its commit", async () => {
    const results = await Promise.allSettled([
      database.transaction((tx) => put(tx, "a")),
      database.transaction(async (tx) => {
        await put(tx, "b");
        throw new Error("no");
      }),
      database.transaction((tx) => put(tx, "c")),
    ]);
    assert.deepEqual(
      results.map((result) => result.status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await keys(), ["a", "c"]);
  });

  test("transactions that come one after the other in one turn share a commit", async () => {
    const other = new DatabaseSync(join(directory, "svc.db"), { readOnly: true });
    const dataVersion = () => other.prepare("pragma data_version").get()?.data_version;
    dataVersion();
    const commits = new Set<unknown>();
    const write = (key: string) =>
      database.transaction(async (tx) => {
        tx.afterCommit(() => commits.add(dataVersion()));
        await put(tx, key);
      });
    const started = Array.from({ length: 20 }, (_, i) => turn().then(() => write(`key ${i}`)));
    await Promise.all(started);
    other.close();
    assert.equal((await keys()).length, 20);
    assert.ok(commits.size <= 5, `${commits.size} commits for 20 transactions`);
  });

  test("on a full disk the failing write is refused and the others are kept", async () => {
    const { page_count } = defined(
      (await database.transaction((tx) => sql<{ page_count: number }>`pragma page_count`.execute(tx))).rows[0],
    );
    await database.transaction((tx) => sql`pragma max_page_count = ${sql.raw(String(page_count + 20))}`.execute(tx));
    const effects: string[] = [];
    const write = (key: string, size: number) =>
      database.transaction(async (tx) => {
        tx.afterCommit(() => effects.push(key));
        await put(tx, key, "x".repeat(size));
      });
    const results = await Promise.allSettled([write("a", 10), write("b", 10_000_000), write("c", 10), write("d", 10)]);
    assert.deepEqual(
      results.map((result) => result.status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled"],
    );
    const [, refused] = results;
    assert.ok(refused?.status === "rejected" && refused.reason instanceof DatabaseUnavailable);
    assert.deepEqual(await keys(), ["a", "c", "d"]);
    assert.deepEqual(effects, ["a", "c", "d"], "effects run once, after the commit");
    await write("e", 10);
  });

  test("OPS7 a write that waits too long for another process's lock is refused without effect", async () => {
    const other = await openSqlite(join(directory, "svc.db"), { waitMs: 100 });
    const held = Promise.withResolvers<void>();
    const first = database.transaction((tx) => put(tx, "first").then(() => held.promise));
    await assert.rejects(
      other.transaction((tx) => put(tx, "late")),
      DatabaseUnavailable,
    );
    held.resolve();
    await first;
    await other.transaction((tx) => put(tx, "again"));
    await other.close();
    assert.deepEqual(await keys(), ["again", "first"]);
  });

  test("closing waits for what is queued, and refuses what comes later", async () => {
    const slow = database.transaction(async (tx) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await put(tx, "slow");
    });
    const queued = database.transaction((tx) => put(tx, "queued"));
    await database.close();
    await Promise.all([slow, queued]);
    await assert.rejects(
      database.transaction((tx) => put(tx, "late")),
      DatabaseUnavailable,
    );
    database = await openSqlite(join(directory, "svc.db"));
    assert.deepEqual(await keys(), ["queued", "slow"]);
  });

  test("a refusal that comes from what another of its group wrote is heard when that is committed", async () => {
    const first = database.transaction((tx) => put(tx, "k", "new"));
    const second = database.transaction(async (tx) => {
      const row = await tx.selectFrom("server_state").select("value").where("key", "=", "k").executeTakeFirst();
      throw new Error(`there is ${row?.value}`);
    });
    await assert.rejects(second, /there is new/);
    const seen = await database.read.selectFrom("server_state").select("value").where("key", "=", "k").execute();
    assert.deepEqual(seen, [{ value: "new" }]);
    await first;
  });

  test("a cached row is forgotten as soon as anybody commits", async () => {
    const find = (key: string) => findState(database.read, { key });
    await database.transaction((tx) => put(tx, "k", "1"));
    assert.equal((await find("k"))?.value, "1");
    const other = await openSqlite(join(directory, "svc.db"));
    for (const [writer, value] of [
      [database, "2"],
      [other, "3"],
    ] as const) {
      await writer.transaction((tx) => tx.updateTable("server_state").set({ value }).execute());
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await find("k"))?.value, value);
    }
    await other.close();
  });

  test("a cached row is forgotten before anybody hears of a commit of this process", async () => {
    const find = (key: string) => findState(database.read, { key });
    await database.transaction((tx) => put(tx, "k", "1"));
    let seen: unknown;
    await database.transaction(async (tx) => {
      await tx.updateTable("server_state").set({ value: "2" }).execute();
      setImmediate(() => void find("k"));
      tx.afterCommit(() => {
        seen = find("k");
      });
    });
    assert.deepEqual(seen, { value: "2" });
  });

  test("shared rows are the same while nobody commits, and new ones afterwards", async () => {
    const list = statement<{ key: string }, { value: string }>(
      (db, value) => db.selectFrom("server_state").select("value").where("key", "=", value("key")),
      { sharing: "shared" },
    );
    await database.transaction((tx) => put(tx, "k", "1"));
    const first = await list(database.read, { key: "k" });
    assert.equal(await list(database.read, { key: "k" }), first);
    assert.deepEqual(await list(database.read, { key: "other" }), []);
    const other = await openSqlite(join(directory, "svc.db"));
    await other.transaction((tx) => tx.updateTable("server_state").set({ value: "2" }).execute());
    await turn();
    assert.deepEqual(await list(database.read, { key: "k" }), [{ value: "2" }]);
    await other.close();
  });

  test("rows read one by one are not disturbed by the same query elsewhere", async () => {
    await database.transaction(async (tx) => {
      for (const key of ["a", "b", "c"]) await put(tx, key);
    });
    const query = written();
    const seen: string[] = [];
    for await (const row of query.stream()) {
      seen.push(row.key);
      await query.execute();
    }
    assert.deepEqual(seen, ["a", "b", "c"]);
  });
});
