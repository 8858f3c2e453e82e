import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { BatchScheduler, batchedLookup, runOnceForAll } from "../statement/batched-lookup.ts";
import type { PostgresConnection } from "./connection.ts";
import { runTogether } from "./lookup.ts";

/** A pool whose connections answer with the text of a query, or fail. */
function pool() {
  const log: string[] = [];
  let taken = 0;
  const take = async () => {
    const number = ++taken;
    const run = async (text: string) => {
      log.push(`${number}: ${text}`);
      if (text.startsWith("failing")) throw new Error("no");
      return { rows: [text], done: "" };
    };
    return { run, release: () => log.push(`${number} is back`) } as unknown as PostgresConnection;
  };
  return { log, take };
}

test("queries of one moment go on one connection, which is given back once; those of a later one on another", async () => {
  const { log, take } = pool();
  const run = runTogether(take, () => Promise.reject(new Error("not again")));
  assert.deepEqual(await Promise.all([run("a", []), run("b", [])]), [["a"], ["b"]]);
  assert.deepEqual(await run("c", []), ["c"]);
  assert.deepEqual(log, ["1: a", "1: b", "1 is back", "2: c", "2 is back"]);
});

test("one that fails is run again by itself, and who cannot have a connection hears of it", async () => {
  const { log, take } = pool();
  const run = runTogether(take, async (text) => [`${text} again`]);
  assert.deepEqual(await Promise.all([run("failing", []), run("b", [])]), [["failing again"], ["b"]]);
  assert.equal(log.at(-1), "1 is back");
  const away = runTogether(() => Promise.reject(new Error("away")), run);
  await Promise.all([assert.rejects(away("a", []), /away/), assert.rejects(away("b", []), /away/)]);
});

test("rows of several kinds and quick queries that are wanted in one turn are one message", async () => {
  const { log, take } = pool();
  const run = runTogether(take, () => Promise.reject(new Error("not again")));
  const scheduler = new BatchScheduler();
  const kind = (name: string) => batchedLookup(async () => new Map([["key", (await run(name, []))[0]]]), scheduler);
  const quick = runOnceForAll(run, scheduler);
  const [first, second] = [kind("first"), kind("second")];
  const wanted = Promise.all([first("key"), second("key"), first("key"), quick("batched", []), quick("batched", [])]);
  await turn();
  const later = second("key");
  assert.deepEqual(await wanted, ["first", "second", "first", ["batched"], ["batched"]]);
  assert.equal(await later, "second");
  assert.deepEqual(await quick("batched", []), ["batched"]);
  assert.deepEqual(
    log.filter((line) => line.includes(":")),
    ["1: first", "1: second", "1: batched", "2: second", "3: batched"],
  );
});
