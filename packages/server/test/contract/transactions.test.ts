import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Database, Db } from "@svc/server/db/database";
import { locked } from "@svc/server/db/lock-rows";
import { prepared } from "@svc/server/db/prepared";
import { runTogether } from "@svc/server/db/together";
import { attempt, runAtEnd } from "@svc/server/db/transaction";
import { onEachDatabase } from "../support/world.ts";

interface State {
  readonly key: string;
  readonly value: string;
}

const insert = prepared<State, State>((db, value) =>
  db
    .insertInto("server_state")
    .values({ key: value("key"), value: value("value") })
    .returning(["key", "value"]),
);
const update = prepared<State, unknown>((db, value) =>
  db
    .updateTable("server_state")
    .set({ value: value("value") })
    .where("key", "=", value("key")),
);
const lockedValue = prepared<{ key: string }, { value: string }>((db, value) =>
  locked(db, db.selectFrom("server_state").select("value").where("key", "=", value("key"))),
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
  const put = (tx: Db, key: string, value = "") => insert(tx, { key, value });

  test("those that run together all happen, each with its own values, and the last one's rows come back", async () => {
    await database.transaction((tx) => put(tx, "together a", "old"));
    const rows = await database.transaction((tx) =>
      runTogether(
        tx,
        [
          update.ready(tx, { key: "together a", value: "new" }),
          insert.ready(tx, { key: "together b", value: "$1 and ?" }),
          insert.ready(tx, { key: "together c", value: "3" }),
        ],
        insert.ready(tx, { key: "together d", value: "4" }),
      ),
    );
    assert.deepEqual(rows, [{ key: "together d", value: "4" }]);
    assert.deepEqual(await state("together"), {
      "together a": "new",
      "together b": "$1 and ?",
      "together c": "3",
      "together d": "4",
    });
  });

  test("more than are joined run all the same", async () => {
    await database.transaction((tx) => {
      const some = Array.from({ length: 20 }, (_, i) => insert.ready(tx, { key: `many ${i}`, value: "" }));
      return runTogether(tx, some.slice(1), some[0]!);
    });
    assert.equal(Object.keys(await state("many")).length, 20);
  });

  test("what is left for the end is written with the rest, or not at all", async () => {
    await database.transaction(async (tx) => {
      runAtEnd(tx, insert.ready(tx, { key: "end a", value: "" }));
      runAtEnd(tx, insert.ready(tx, { key: "end b", value: "" }));
      const failed = attempt(tx, async () => {
        runAtEnd(tx, insert.ready(tx, { key: "end c", value: "" }));
        throw new Error("no");
      });
      await assert.rejects(failed, /no/);
    });
    const undone = database.transaction(async (tx) => {
      runAtEnd(tx, insert.ready(tx, { key: "end d", value: "" }));
      throw new Error("no");
    });
    await assert.rejects(undone, /no/);
    assert.deepEqual(Object.keys(await state("end")), ["end a", "end b"]);
  });

  test("who locks a row reads it as the one before has left it", async () => {
    await database.transaction((tx) => put(tx, "locked", "0"));
    const addOne = () =>
      database.transaction(async (tx) => {
        const [row] = await lockedValue(tx, { key: "locked" });
        await turn();
        await update(tx, { key: "locked", value: String(Number(row!.value) + 1) });
      });
    await Promise.all(Array.from({ length: 12 }, addOne));
    assert.deepEqual(await state("locked"), { locked: "12" });
  });
});
