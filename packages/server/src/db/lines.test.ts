import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, type Terms, type Tx } from "./database.ts";
import { Lines, type Serve, type Turn } from "./lines.ts";

const tx = {} as Tx;
const settle = ({ work, resolve, reject }: Turn) => work(tx).then(resolve, reject);
const oneByOne: Serve = settle;

test("a line goes one by one and in order, also past a failure; lines do not wait for each other, and leave nothing", async () => {
  const lines = new Lines(oneByOne);
  const told: string[] = [];
  const say = (name: string, ms: number) => async () => {
    told.push(`${name} begins`);
    await sleep(ms);
    told.push(`${name} ends`);
    if (name === "a1") throw new Error("no");
  };
  const failed = assert.rejects(lines.run(say("a1", 20), { line: "a" }), /no/);
  await Promise.all([failed, lines.run(say("a2", 1), { line: "a" }), lines.run(say("b", 1), { line: "b" })]);
  await setImmediate();
  assert.deepEqual(told, ["a1 begins", "b begins", "b ends", "a1 ends", "a2 begins", "a2 ends"]);
  assert.equal(lines.size, 0);
});

/** Lines whose groups take all they are given; `run` adds to one, and `groups` are told as they ended. */
function grouping(most = 16) {
  const groups: string[] = [];
  const lines = new Lines(async (first, next) => {
    const group: Turn[] = [];
    for (let turn: Turn | undefined = first; turn; turn = group.length < most ? next() : undefined) {
      group.push(turn);
      await setImmediate();
    }
    groups.push((await Promise.all(group.map(({ work }) => work(tx)))).join(" "));
    for (const { resolve } of group) resolve(undefined);
  });
  const run = (name: string, terms: Terms) => lines.run(async () => name, terms);
  return { lines, groups, run };
}

test("those of a line that share a commit go together, up to one that does not, which goes alone", async () => {
  const { lines, groups, run } = grouping();
  const shared = { line: "a", group: "g" };
  const names = ["1", "2", "3", "4", "5", "6"];
  await Promise.all(names.map((name) => run(name, name === "4" ? { line: "a" } : shared)));
  await setImmediate();
  assert.deepEqual(groups, ["1 2 3", "4", "5 6"]);
  assert.equal(lines.size, 0);
});

test("those of several lines that share a commit go together in the order of the lines, two groups at a time", async () => {
  const { lines, groups, run } = grouping();
  const of = (line: string, name = line) => run(name, { line, group: "g" });
  await Promise.all([of("d"), of("c"), of("a"), of("e", "e1"), of("b"), of("e", "e2"), of("d", "d2")]);
  await setImmediate();
  for (const group of groups) assert.deepEqual(group.split(" "), group.split(" ").sort());
  assert.deepEqual(groups.toSorted(), ["a b", "c e1 e2", "d d2"].toSorted());
  assert.equal(lines.size, 0);
});

test("a group goes on behind the line where the last one was: one that is always busy keeps nobody waiting", async () => {
  const { groups, run } = grouping(2);
  const busy = Array.from({ length: 8 }, () => run("a", { line: "a", group: "g" }));
  const others = [run("b", { line: "b", group: "g" }), run("c", { line: "c", group: "g" })];
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

test("FAULT15 who waits too long for those before it is refused, and never runs", async () => {
  const lines = new Lines(oneByOne, 20);
  const ran: string[] = [];
  const run = (work: () => Promise<unknown>) => lines.run(work, { line: "a", group: "g" });
  const slow = run(() => sleep(60));
  await assert.rejects(
    run(async () => ran.push("late")),
    DatabaseUnavailable,
  );
  await assert.rejects(
    run(async () => ran.push("next")),
    DatabaseUnavailable,
  );
  await slow;
  await run(async () => ran.push("again"));
  assert.deepEqual(ran, ["again"]);
});
