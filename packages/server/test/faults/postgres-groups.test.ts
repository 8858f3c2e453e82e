import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { DatabaseUnavailable, type Store, type Tx } from "@svc/server/db/database";
import { openPostgres } from "@svc/server/db/postgres/open";
import { statement } from "@svc/server/db/statement/statement";
import { sql } from "kysely";
import { lastStep } from "../support/last-step.ts";
import { checkParents } from "../support/parents.ts";
import { makeDatabase } from "../support/postgres.ts";

const line = { queueKey: "a line", group: "a group" };

const post = statement<{ key: string }, unknown>((db, value) =>
  db.insertInto("server_state").values({ key: value("key"), value: "" }),
);

/** Tells transactions that share a commit. */
const commitOf = async (tx: Tx): Promise<string> =>
  defined((await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)).rows[0]).id;

const endOwnConnection = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);

describe("writers that share a commit on PostgreSQL", () => {
  let database: Store;
  let url: string;
  let drop: () => Promise<void>;
  before(async () => {
    ({ url, drop } = await makeDatabase());
    database = await openPostgres(url, { warn: () => undefined });
  });
  after(async () => {
    await checkParents(database).finally(() => database.close());
    await drop();
  });

  const put = (tx: Tx, key: string) => tx.insertInto("server_state").values({ key, value: "" }).execute();
  const keys = async (prefix: string) =>
    (await database.read.selectFrom("server_state").select("key").orderBy("key").execute())
      .map(({ key }) => key)
      .filter((key) => key.startsWith(prefix));
  const runAll = (works: readonly ((tx: Tx) => Promise<unknown>)[]) =>
    Promise.allSettled(works.map((work) => database.transaction(work, line)));

  test("those that wait share a commit, but not all of them", async () => {
    const write = async (tx: Tx, i: number) => {
      await put(tx, `shared ${i}`);
      return commitOf(tx);
    };
    const writers = Array.from({ length: 40 }, (_, i) => database.transaction((tx) => write(tx, i), line));
    const ids = await Promise.all(writers);
    assert.ok(new Set(ids).size <= 30, `${new Set(ids).size} commits for ${ids.length} writers`);
    assert.ok(new Set(ids).size >= 3, "no end of a group");
    assert.equal((await keys("shared")).length, 40);
  });

  test("a statement that was posted and fails later fails its own transaction alone", async () => {
    await database.transaction((tx) => put(tx, "posted twice"));
    const outcomes = await runAll([
      (tx) => put(tx, "posted a"),
      (tx) => put(tx, "posted b"),
      async (tx) => tx.beforeCommit(lastStep(() => post.enqueue(tx, { key: "posted twice" }))),
      (tx) => put(tx, "posted c"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status === "fulfilled"),
      [true, true, false, true],
    );
    assert.deepEqual(await keys("posted"), ["posted a", "posted b", "posted c", "posted twice"]);
  });

  test("writers whose shared connection is lost each run again alone, losing nothing", async () => {
    let isFirst = true;
    const outcomes = await runAll([
      (tx) => put(tx, "middle a"),
      (tx) => put(tx, "middle b"),
      async (tx) => {
        await put(tx, "middle c");
        if (isFirst) {
          isFirst = false;
          await endOwnConnection(tx);
        }
      },
      (tx) => put(tx, "middle d"),
      async () => {
        throw new Error("no");
      },
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status === "fulfilled"),
      [true, true, true, true, false],
    );
    assert.deepEqual(await keys("middle"), ["middle a", "middle b", "middle c", "middle d"]);
  });

  test("a connection lost during a shared commit is reported to every writer, and nothing is done twice", async () => {
    const commits: string[] = [];
    const outcomes = await runAll([
      (tx) => put(tx, "before"),
      ...["end a", "end b", "end c"].map((key, i) => async (tx: Tx) => {
        commits.push(await commitOf(tx));
        await put(tx, key);
        if (i === 1) tx.beforeCommit(lastStep(async () => void endOwnConnection(tx).catch(() => undefined)));
      }),
    ]);
    // On a busy machine one of them may have a commit of its own.
    const isLost = (i: number) => commits[i] === commits[1];
    for (const [i, outcome] of outcomes.slice(1).entries()) {
      const isTold = outcome.status === "rejected" && outcome.reason instanceof DatabaseUnavailable;
      assert.equal(isTold, isLost(i));
    }
    assert.equal(commits.length, 3);
    assert.deepEqual(
      await keys("end"),
      ["end a", "end b", "end c"].filter((_, i) => !isLost(i)),
    );
    await database.transaction((tx) => put(tx, "end"), line);
  });

  test("one that meets a deadlock runs again, and those before it with it", async () => {
    await database.transaction((tx) => put(tx, "lock 1").then(() => put(tx, "lock 2")));
    const lock = (tx: Tx, key: string) =>
      tx.updateTable("server_state").set({ value: "locked" }).where("key", "=", key).execute();
    const both = Promise.withResolvers<void>();
    const other = database.transaction(async (tx) => {
      await lock(tx, "lock 2");
      await both.promise;
      await lock(tx, "lock 1");
    });
    const outcomes = await runAll([
      (tx) => put(tx, "lock a"),
      (tx) => lock(tx, "lock 1"),
      async (tx) => {
        both.resolve();
        await lock(tx, "lock 2");
      },
    ]);
    await other;
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled"],
    );
    assert.deepEqual(await keys("lock"), ["lock 1", "lock 2", "lock a"]);
  });

  test("groups of writers in two processes that write the same rows never deadlock", async () => {
    const other = await openPostgres(url, { warn: () => undefined });
    const rows = Array.from({ length: 8 }, (_, i) => `row ${i}`);
    await database.transaction((tx) => Promise.all(rows.map((key) => put(tx, key))));
    let runs = 0;
    const touch = (key: string) => (tx: Tx) => {
      runs++;
      return tx.updateTable("server_state").set({ value: "touched" }).where("key", "=", key).execute();
    };
    const writes = Array.from({ length: 40 }, (_, i) =>
      [database, other].map((store, which) => {
        const key = defined(rows[(which ? 3 * i : 40 - i) % rows.length]);
        return store.transaction(touch(key), { queueKey: key, group: "a group" });
      }),
    ).flat();
    await Promise.all(writes);
    await other.close();
    assert.equal(runs, writes.length, "some ran again");
  });
});
