import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, type Tx, type WriteOptions } from "../database.ts";
import { type QueuedWrite, type Serve, WriteQueue } from "./write-queue.ts";

const tx = {} as Tx;
const settle = ({ work, resolve, reject }: QueuedWrite) => work(tx).then(resolve, reject);
const oneByOne: Serve = settle;

test("a line goes one by one and in order, also past a failure; queue do not wait for each other, and leave nothing", async () => {
  const queue = new WriteQueue(oneByOne);
  const log: string[] = [];
  const say = (name: string, ms: number) => async () => {
    log.push(`${name} begins`);
    await sleep(ms);
    log.push(`${name} ends`);
    if (name === "a1") throw new Error("no");
  };
  const failed = assert.rejects(queue.run(say("a1", 20), { queueKey: "a" }), /no/);
  await Promise.all([failed, queue.run(say("a2", 1), { queueKey: "a" }), queue.run(say("b", 1), { queueKey: "b" })]);
  await setImmediate();
  assert.deepEqual(log, ["a1 begins", "b begins", "b ends", "a1 ends", "a2 begins", "a2 ends"]);
  assert.equal(queue.size, 0);
});

/** WriteQueue whose groups take all they are given; `run` adds to one, and `groups` lists them in the order in which they ended. */
function grouping(most = 16) {
  const groups: string[] = [];
  const queue = new WriteQueue(async (first, next) => {
    const group: QueuedWrite[] = [];
    for (let turn: QueuedWrite | undefined = first; turn; turn = group.length < most ? next() : undefined) {
      group.push(turn);
      await setImmediate();
    }
    groups.push((await Promise.all(group.map(({ work }) => work(tx)))).join(" "));
    for (const { resolve } of group) resolve(undefined);
  });
  const run = (name: string, terms: WriteOptions) => queue.run(async () => name, terms);
  return { queue, groups, run };
}

test("those of a line that share a commit go together, up to one that does not, which goes alone", async () => {
  const { queue, groups, run } = grouping();
  const shared = { queueKey: "a", group: "g" };
  const names = ["1", "2", "3", "4", "5", "6"];
  await Promise.all(names.map((name) => run(name, name === "4" ? { queueKey: "a" } : shared)));
  await setImmediate();
  assert.deepEqual(groups, ["1 2 3", "4", "5 6"]);
  assert.equal(queue.size, 0);
});

test("those of several keys that share a commit go together in the order of the keys, two groups at a time", async () => {
  const { queue, groups, run } = grouping();
  const of = (queueKey: string, name = queueKey) => run(name, { queueKey, group: "g" });
  await Promise.all([of("d"), of("c"), of("a"), of("e", "e1"), of("b"), of("e", "e2"), of("d", "d2")]);
  await setImmediate();
  for (const group of groups) assert.deepEqual(group.split(" "), group.split(" ").sort());
  assert.deepEqual(groups.toSorted(), ["a b", "c e1 e2", "d d2"].toSorted());
  assert.equal(queue.size, 0);
});

test("a group goes on behind the line where the last one was: one that is always busy keeps nobody waiting", async () => {
  const { groups, run } = grouping(2);
  const busy = Array.from({ length: 8 }, () => run("a", { queueKey: "a", group: "g" }));
  const others = [run("b", { queueKey: "b", group: "g" }), run("c", { queueKey: "c", group: "g" })];
  await Promise.all([...busy, ...others]);
  const served = groups.flatMap((group) => group.split(" "));
  assert.ok(served.indexOf("c") < 6, served.join());
});

test("those of different groups never share a commit, and those without a line wait for no other", async () => {
  const { groups, run } = grouping();
  const names = ["g1", "g2", "h1", "g3", "h2", "h3", "g4"];
  await Promise.all([...names.map((name) => run(name, { group: name[0] })), run("alone", {})]);
  for (const group of groups) assert.equal(new Set(group.split(" ").map((name) => name[0])).size, 1, group);
  assert.ok(groups.length < 1 + names.length && groups.includes("alone"), groups.join());
});

test("OPS7 a write that waits too long in the queue is refused and never runs", async () => {
  const queue = new WriteQueue(oneByOne, 20);
  const ran: string[] = [];
  const run = (work: () => Promise<unknown>) => queue.run(work, { queueKey: "a", group: "g" });
  const held = Promise.withResolvers<void>();
  const slow = run(() => held.promise);
  await assert.rejects(
    run(async () => ran.push("late")),
    DatabaseUnavailable,
  );
  await assert.rejects(
    run(async () => ran.push("next")),
    DatabaseUnavailable,
  );
  held.resolve();
  await slow;
  await run(async () => ran.push("again"));
  assert.deepEqual(ran, ["again"]);
});
