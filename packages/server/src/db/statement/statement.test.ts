import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Reader, Store, Tx } from "../database.ts";
import { openSqlite } from "../sqlite/open.ts";
import { statement } from "./statement.ts";

interface State {
  readonly key: string;
  readonly value: string;
}

const insert = statement<State, unknown>((db, value) =>
  db.insertInto("server_state").values({ key: value("key"), value: value("value") }),
);
const insertAll = statement<{ rows: readonly State[] }, unknown>(
  (db, value) => db.insertInto("server_state").values(value("rows")),
  { rows: "rows", fields: ["key", "value"] },
);
const listed = statement<{ keys: readonly string[]; above: string }, State>(
  (db, value) =>
    db
      .selectFrom("server_state")
      .select(["key", "value"])
      .where("value", ">", value("above"))
      .where("key", "in", value("keys"))
      .orderBy("key"),
  { list: "keys" },
);
const byKey = statement<{ key: string }, State>({ select: "key, value", from: "server_state", key: { key: "key" } });

/** A reader cannot write: `npm run check` fails when one of these lines compiles. */
export function neverCompiles(reader: Reader, tx: Tx): void {
  // @ts-expect-error a reader runs no statement that writes
  void insert(reader, { key: "", value: "" });
  // @ts-expect-error nor several at once
  void insertAll(reader, { rows: [] });
  // @ts-expect-error nor without waiting for it
  void insert.enqueue(reader, { key: "", value: "" });
  // @ts-expect-error nor has it a builder of such statements
  void reader.insertInto("server_state");
  // @ts-expect-error nor locks
  void reader.lock("folder", "", 1);
  // @ts-expect-error a query of rows is nothing to enqueue
  void listed.enqueue(tx, { keys: [], above: "" });
  // @ts-expect-error a statement has all its values
  void insert(tx, { key: "" });
  // @ts-expect-error the fields are those of the items
  statement<{ rows: readonly State[] }, unknown>((db) => db.deleteFrom("jobs"), { rows: "rows", fields: ["other"] });
}

describe("statements", () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-statement-"));
  let database: Store;
  before(async () => {
    database = await openSqlite(join(directory, "svc.db"));
  });
  after(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  const keysOf = (length: number): string[] => Array.from({ length }, (_, i) => `key ${String(i).padStart(4, "0")}`);

  for (const count of [0, 1, 3, 64, 65, 256, 257, 1000])
    test(`a list of ${count} rows is inserted and found, each row once`, async () => {
      const keys = keysOf(count);
      await database.transaction((tx) => tx.deleteFrom("server_state").execute());
      await database.transaction((tx) =>
        insertAll.enqueue(tx, { rows: keys.map((key) => ({ value: `of ${key}`, key })) }),
      );
      const rows = await listed(database.read, { keys, above: "" });
      assert.deepEqual(
        rows,
        keys.map((key) => ({ key, value: `of ${key}` })),
      );
    });

  test("values go to their names, wherever they stand in the text", async () => {
    await database.transaction((tx) => insert(tx, { value: "second", key: "first" }));
    assert.deepEqual(await byKey(database.read, { key: "first" }), { key: "first", value: "second" });
    assert.deepEqual(await database.transaction(async (tx) => byKey(tx, { key: "first" })), {
      key: "first",
      value: "second",
    });
    assert.equal(await byKey(database.read, { key: "second" }), undefined);
  });
});
