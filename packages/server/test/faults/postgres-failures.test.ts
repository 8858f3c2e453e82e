import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DatabaseUnavailable, type Store, type Tx } from "@svc/server/db/database";
import { openPostgres } from "@svc/server/db/postgres/open";
import { allOf } from "@svc/server/db/transaction/last-steps";
import { sql } from "kysely";
import { checkParents } from "../support/parents.ts";
import { makeDatabase } from "../support/postgres.ts";

/** Fails as a statement does whose rows find no room on the disk (53100), or with another code. */
const failing = (code: string) => sql<{ failed: number }>`select fail_with(${sql.lit(code)}) as failed`;
const enqueueFailing = async (tx: Tx, code: string) =>
  tx.statements.enqueue(`select fail_with('${code}') as failed`, []);

describe("failures of PostgreSQL under a transaction", () => {
  let store: Store;
  let url: string;
  let drop: () => Promise<void>;

  before(async () => {
    ({ url, drop } = await makeDatabase());
    store = await openPostgres(url, { warn: () => undefined });
    const body = "begin raise exception 'no room' using errcode = code; end";
    await store.transaction((tx) =>
      sql`create function fail_with(code text) returns int language plpgsql as ${sql.lit(body)}`.execute(tx),
    );
  });
  after(async () => {
    await checkParents(store).finally(() => store.close());
    await drop();
  });

  const read = (tx: Tx) => tx.selectFrom("server_state").selectAll().execute();

  /** The failing statement goes out behind one that is waited for, so that nobody waits for it itself. */
  async function failUnseen(tx: Tx): Promise<void> {
    const seen = tx.statements.run("select 1", []);
    await enqueueFailing(tx, "53100");
    await seen;
  }

  for (const group of [undefined, "workspace"]) {
    const of = group === undefined ? "alone" : "in a group";
    test(`when an unawaited statement meets a full disk, the commit reports the cause, ${of}`, async () => {
      await assert.rejects(store.transaction(failUnseen, { group }), DatabaseUnavailable);
    });

    test(`when an unawaited statement meets a full disk before another statement, the commit reports the cause, ${of}`, async () => {
      const work = async (tx: Tx) => {
        await failUnseen(tx);
        await read(tx);
      };
      await assert.rejects(store.transaction(work, { group }), DatabaseUnavailable);
    });
  }

  test("when one of several parallel steps meets a full disk, the others report that cause too", async () => {
    const work = (tx: Tx) => {
      const failed = failing("53100").execute(tx);
      const follows = failed.catch(() => read(tx));
      return allOf([follows, failed]);
    };
    await assert.rejects(store.transaction(work), DatabaseUnavailable);
  });

  test("a conflict behind an awaited statement is retried, not reported", async () => {
    let runs = 0;
    const work = async (tx: Tx) => {
      const seen = tx.statements.run("select 1", []);
      if (++runs === 1) await enqueueFailing(tx, "40001");
      await seen;
      return "done";
    };
    assert.equal(await store.transaction(work), "done");
    assert.equal(runs, 2);
  });

  test("every way in which PostgreSQL can be unavailable is reported as such; a bug is not", async () => {
    for (const code of ["53100", "53200", "57014", "57P01", "58030", "08006", "25006", "XX000", "XX001"])
      await assert.rejects(
        store.transaction((tx) => failing(code).execute(tx)),
        DatabaseUnavailable,
        code,
      );
    for (const code of ["23505", "42703", "22001"])
      await assert.rejects(
        store.transaction((tx) => failing(code).execute(tx)),
        { code },
      );
  });

  test("OPS7 a request that waits too long for a connection is refused without effect", async () => {
    const small = await openPostgres(url, { warn: () => undefined }, { maxConnections: 1, waitMs: 500 });
    const held = Promise.withResolvers<void>();
    const slow = small.transaction((tx) => read(tx).then(() => held.promise));
    let runs = 0;
    const late = small.transaction(async () => void runs++);
    await assert.rejects(late, DatabaseUnavailable);
    held.resolve();
    await slow;
    await small.transaction(async () => void runs++);
    assert.equal(runs, 1);
    await small.close();
  });

  test("a connection refused for another reason counts as an absent database", async () => {
    const { url: otherUrl, drop: dropOther } = await makeDatabase();
    const other = await openPostgres(otherUrl, { warn: () => undefined });
    try {
      await dropOther();
      await assert.rejects(other.transaction(read), DatabaseUnavailable);
      await assert.rejects(other.transaction(read), DatabaseUnavailable);
    } finally {
      await other.close();
    }
  });
});
