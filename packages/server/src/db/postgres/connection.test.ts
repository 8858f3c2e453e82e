import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type pg from "pg";
import { connectionOf, type PostgresConnection } from "./connection.ts";
import type { Message } from "./pipeline.ts";

/** A connection whose other side is the test: what is sent to it, and how it answers. */
class OtherSide extends EventEmitter {
  readonly stream = { cork: () => undefined, uncork: () => undefined };
  /** The statements of each message, with `prepare …` for a new one. */
  readonly messages: string[][] = [];
  #message: Message | undefined;
  #texts: string[] = [];
  readonly #names = new Map<string, string>();

  readonly connection: PostgresConnection = connectionOf({
    connection: this,
    query: (message: Message) => {
      this.#message = message;
      this.#texts = [];
      message.submit(this);
    },
    on: () => undefined,
    release: () => undefined,
  } as unknown as pg.PoolClient);

  parse({ name, text }: { name: string; text: string }): void {
    this.#names.set(name, text);
    this.#texts.push(`prepare ${text}`);
  }
  bind({ statement }: { statement: string }): void {
    this.#texts.push(defined(this.#names.get(statement)));
  }
  describe(): void {}
  execute(): void {}
  sync(): void {
    this.messages.push(this.#texts);
  }

  /** Answers the message that was sent last; the statement with this text fails. */
  answer({ failing, done }: { failing?: string; done?: string } = {}): void {
    for (const text of this.#texts) {
      if (text === failing) return void defined(this.#message).handleError(new Error(`${text} failed`));
      if (text.startsWith("prepare ")) this.emit("parseComplete");
      else defined(this.#message).handleCommandComplete({ text: done ?? text.toUpperCase() });
    }
    defined(this.#message).handleReadyForQuery();
  }
}

test("what is posted goes with the next that is run, in order; a statement is prepared once", async () => {
  const side = new OtherSide();
  side.connection.enqueue("begin");
  side.connection.enqueue("update a");
  const [b, c] = [side.connection.run("select b"), side.connection.run("select c")];
  await turn();
  assert.deepEqual(side.messages, [
    ["begin", "update a", "select b", "select c"].flatMap((text) => [`prepare ${text}`, text]),
  ]);
  side.answer();
  assert.deepEqual([(await b).done, (await c).done], ["SELECT B", "SELECT C"]);
  side.connection.enqueue("update a");
  const committed = side.connection.commit(60_000);
  await turn();
  assert.deepEqual(side.messages[1], ["update a", "prepare commit", "commit"]);
  side.answer();
  await committed;
});

test("what is wanted later goes with the next that is run, or when it is called for, and calling again sends nothing", async () => {
  const side = new OtherSide();
  const moved = side.connection.enqueueForRows("update a");
  await turn();
  assert.deepEqual(side.messages, []);
  const called = moved();
  await turn();
  assert.deepEqual(side.messages, [["prepare update a", "update a"]]);
  side.answer();
  assert.equal((await called).done, "UPDATE A");
  side.connection.enqueue("update b");
  assert.equal((await moved()).done, "UPDATE A");
  await turn();
  assert.equal(side.messages.length, 1, "what is posted waits on");
  const next = side.connection.run("select c");
  await turn();
  side.answer({ failing: "update b" });
  await assert.rejects(next, /update b failed/);
});

test("after one that fails nothing is run, and nothing is sent that was meant to follow", async () => {
  const side = new OtherSide();
  side.connection.enqueue("begin");
  side.connection.enqueue("update a");
  const first = side.connection.run("select b");
  await turn();
  const later = side.connection.run("update c");
  await turn();
  assert.equal(side.messages.length, 1, "no message before the one on its way is answered");
  side.answer({ failing: "begin" });
  await assert.rejects(first, /begin failed/);
  await assert.rejects(later, /begin failed/);
  await turn();
  assert.equal(side.messages.length, 1);
});

test("what would be undone is not sent, but the point to go back to is", async () => {
  const side = new OtherSide();
  for (const text of ["begin", "update a", "savepoint s", "update b"]) side.connection.enqueue(text);
  const undone = side.connection.run("rollback to savepoint s");
  await turn();
  const sent = defined(side.messages[0]).filter((text) => !text.startsWith("prepare "));
  assert.deepEqual(sent, ["begin", "update a", "savepoint s", "rollback to savepoint s"]);
  side.answer();
  await undone;
});

test("a commit that PostgreSQL answers with a rollback is a failure", async () => {
  const side = new OtherSide();
  const committed = side.connection.commit(60_000);
  await turn();
  side.answer({ done: "ROLLBACK" });
  await assert.rejects(committed, /had failed/);
});
