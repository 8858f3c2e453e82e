import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Database, Tx } from "@svc/server/db/database";
import { statement } from "@svc/server/db/statement/statement";
import { allOf } from "@svc/server/db/transaction/last-steps";
import { onEachDatabase } from "../../support/world.ts";

interface State {
  readonly key: string;
  readonly value: string;
}

const insert = statement<State, State>((db, value) =>
  db
    .insertInto("server_state")
    .values({ key: value("key"), value: value("value") })
    .returning(["key", "value"]),
);
const update = statement<State, unknown>((db, value) =>
  db
    .updateTable("server_state")
    .set({ value: value("value") })
    .where("key", "=", value("key")),
);
const lockedValue = statement<{ key: string }, { value: string }>((db, value, dialect) =>
  dialect.lockRows(db.selectFrom("server_state").select("value").where("key", "=", value("key")), "change", true),
);

onEachDatabase("statements of a transaction", (world) => {
  let database: Database;
  before(() => {
    database = world.app.services.database;
  });
  const state = async (prefix: string) =>
    Object.fromEntries(
      (await database.read.selectFrom("server_state").select(["key", "value"]).orderBy("key").execute())
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, value }) => [key, value]),
    );
  const put = (tx: Tx, key: string, value = "") => insert(tx, { key, value });

  test("those that are posted happen in order, each with its own values, and later ones see them", async () => {
    const rows = await database.transaction(async (tx) => {
      await insert.enqueue(tx, { key: "posted a", value: "old" });
      await update.enqueue(tx, { key: "posted a", value: "$1 and ?" });
      await insert.enqueue(tx, { key: "posted b", value: "2" });
      const seen = await lockedValue(tx, { key: "posted a" });
      await update.enqueue(tx, { key: "posted b", value: "last" });
      return seen;
    });
    assert.deepEqual(rows, [{ value: "$1 and ?" }]);
    assert.deepEqual(await state("posted"), { "posted a": "$1 and ?", "posted b": "last" });
  });

  test("one that is posted and fails undoes the transaction, and its failure is the transaction's", async () => {
    await database.transaction((tx) => put(tx, "twice"));
    const failing = (after: (tx: Tx) => Promise<unknown>) =>
      database.transaction(async (tx) => {
        await insert.enqueue(tx, { key: "beside twice", value: "" });
        await insert.enqueue(tx, { key: "twice", value: "" });
        await after(tx);
      });
    await assert.rejects(
      failing(async () => undefined),
      /unique/i,
    );
    await assert.rejects(
      failing((tx) => put(tx, "after twice")),
      /unique/i,
    );
    assert.deepEqual(await state("beside"), {});
    await database.transaction((tx) => put(tx, "after twice"));
  });

  test("what is posted in an attempt is undone with it, whether it was sent already or not", async () => {
    await database.transaction(async (tx) => {
      await insert.enqueue(tx, { key: "end a", value: "" });
      await insert.enqueue(tx, { key: "end b", value: "" });
      const refused = tx.attempt(async () => {
        await insert.enqueue(tx, { key: "end c", value: "" });
        throw new Error("no");
      });
      await assert.rejects(refused, /no/);
      const failed = tx.attempt(async () => {
        await insert.enqueue(tx, { key: "end c", value: "" });
        await put(tx, "end a");
      });
      await assert.rejects(failed, /unique/i);
      await insert.enqueue(tx, { key: "end d", value: "" });
    });
    assert.deepEqual(Object.keys(await state("end")), ["end a", "end b", "end d"]);
  });

  test("steps that run beside each other are all over before their transaction is undone", async () => {
    const slow = async (tx: Tx) => {
      for (let i = 0; i < 5; i++) await put(tx, `beside ${i}`);
    };
    const refused = async (tx: Tx) => {
      await lockedValue(tx, { key: "twice" });
      throw new Error("no");
    };
    await assert.rejects(
      database.transaction((tx) => allOf([refused(tx), slow(tx)])),
      /no/,
    );
    assert.deepEqual(await state("beside"), {});
  });

  test("who locks a row reads it as the one before has left it", async () => {
    await database.transaction((tx) => put(tx, "locked", "0"));
    const addOne = () =>
      database.transaction(async (tx) => {
        const [row] = await lockedValue(tx, { key: "locked" });
        await turn();
        await update(tx, { key: "locked", value: String(Number(defined(row).value) + 1) });
      });
    await Promise.all(Array.from({ length: 12 }, addOne));
    assert.deepEqual(await state("locked"), { locked: "12" });
  });
});
