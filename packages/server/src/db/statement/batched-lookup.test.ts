import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { batchedLookup, runOnceForAll } from "./batched-lookup.ts";
import { nameOf } from "./lookup.ts";

/** Questions that wait until the test answers them. */
function questions() {
  const open: { readonly names: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const find = batchedLookup<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const names = keys.map(nameOf);
    const known = names.filter((name) => name !== "nobody");
    open.push({ names, answer: () => resolve(new Map(known.map((name) => [name, `row ${name}`]))), fail: reject });
    return promise;
  });
  return { open, find };
}

test("what is asked in one turn is one question, each key once", async () => {
  const { open, find } = questions();
  const found = Promise.all([find("a"), find("b"), find("a"), find("nobody")]);
  await turn();
  assert.deepEqual(
    open.map(({ names }) => names),
    [["a", "b", "nobody"]],
  );
  defined(open[0]).answer();
  assert.deepEqual(await found, ["row a", "row b", "row a", undefined]);
});

test("a question on its way is not joined: an answer is never older than the wish for it", async () => {
  const { open, find } = questions();
  const first = find("a");
  await turn();
  const second = find("a");
  defined(open[0]).answer();
  assert.equal(await first, "row a");
  await turn();
  assert.equal(open.length, 2);
  defined(open[1]).answer();
  assert.equal(await second, "row a");
});

test("while a question is on its way the rest is gathered, and goes when it is back", async () => {
  const { open, find } = questions();
  const all: unknown[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) {
    all.push(find(name));
    await turn();
  }
  assert.deepEqual(
    open.map(({ names }) => names),
    [["a"]],
  );
  defined(open[0]).answer();
  await turn();
  assert.deepEqual(open[1]?.names, ["b", "c", "d", "e"]);
  defined(open[1]).answer();
  assert.deepEqual(
    await Promise.all(all),
    ["a", "b", "c", "d", "e"].map((name) => `row ${name}`),
  );
});

test("a question that takes long does not hold the others up", async () => {
  const { open, find } = questions();
  const slow = find("a");
  await turn();
  const others = [find("b"), find("c")];
  for (const end = performance.now() + 60_000; open.length < 2 && performance.now() < end; ) await sleep(5);
  assert.deepEqual(open[1]?.names, ["b", "c"]);
  open[1].answer();
  assert.deepEqual(await Promise.all(others), ["row b", "row c"]);
  defined(open[0]).answer();
  assert.equal(await slow, "row a");
});

test("a query that several want at the same time runs once, and anew for who comes later", async () => {
  const runs: unknown[] = [];
  const run = runOnceForAll(async (sql, parameters) => {
    runs.push([sql, ...parameters]);
    await turn();
    return [runs.length];
  });
  assert.deepEqual(await Promise.all([run("q", [1]), run("q", [2]), run("q", [1])]), [[2], [2], [2]]);
  assert.deepEqual(runs, [
    ["q", 1],
    ["q", 2],
  ]);
  assert.deepEqual(await run("q", [1]), [3]);
});

test("a question that fails fails those who asked it, and nobody else", async () => {
  const { open, find } = questions();
  const failing = [find("a"), find("b")];
  await turn();
  defined(open[0]).fail(new Error("away"));
  for (const one of failing) await assert.rejects(Promise.resolve(one), /away/);
  const later = find("a");
  await turn();
  defined(open[1]).answer();
  assert.equal(await later, "row a");
});
