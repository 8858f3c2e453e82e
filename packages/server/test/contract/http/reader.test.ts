import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reader, Tx } from "@svc/server/db/database";
import { sql } from "kysely";
import { onEachDatabase } from "../../support/world.ts";

/** Never called: each line is here because it must not compile. */
export function readersThatWrite(reader: Reader): void {
  // @ts-expect-error a reader does not insert
  reader.insertInto("server_state");
  // @ts-expect-error a reader does not update
  reader.updateTable("server_state");
  // @ts-expect-error a reader does not delete
  reader.deleteFrom("server_state");
  // @ts-expect-error a reader does not run SQL of any kind
  void sql`delete from server_state`.execute(reader);
  // @ts-expect-error a reader has no commit
  reader.beforeCommit({});
  // @ts-expect-error a reader has no commit
  reader.afterCommit(() => undefined);
  // @ts-expect-error a reader announces nothing
  reader.announce("a topic");
  // @ts-expect-error a reader is no transaction
  const tx: Tx = reader;
  const other: Reader = tx;
  void other;
}

onEachDatabase("a reader", (world) => {
  test("the database itself refuses a write that comes through a snapshot, and on SQLite through any reader", async () => {
    const { database } = world.app.services;
    const write = (reader: Reader) =>
      Promise.try(() => reader.statements.run("delete from server_state where key = 'no such key'", []));
    if (world.kind === "sqlite") await assert.rejects(write(database.read));
    await assert.rejects(database.snapshot(write));
    await database.transaction(write);
  });
});
