import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseUnavailable, type Db } from "./database.ts";
import { Lines, type Serve, type Turn } from "./lines.ts";

const tx = {} as Db;
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
  const failed = assert.rejects(lines.run("a", false, say("a1", 20)), /no/);
  await Promise.all([failed, lines.run("a", false, say("a2", 1)), lines.run("b", false, say("b", 1))]);
  assert.deepEqual(told, ["a1 begins", "b begins", "b ends", "a1 ends", "a2 begins", "a2 ends"]);
  assert.equal(lines.size, 0);
});

test("those that follow may be taken along up to one that does not share its commit, which goes alone", async () => {
  const groups: unknown[][] = [];
  const lines = new Lines(async (first, next) => {
    const group: Turn[] = [];
    for (let turn: Turn | undefined = first; turn; turn = next()) group.push(turn);
    groups.push(await Promise.all(group.map(({ work }) => work(tx))));
    for (const { resolve } of group) resolve(undefined);
  });
  const run = (name: string, sharesCommit: boolean) => lines.run("a", sharesCommit, async () => name);
  const all = [run("1", true), run("2", true), run("3", true), run("4", false), run("5", true), run("6", true)];
  await Promise.all(all);
  assert.deepEqual(groups, [["1"], ["2", "3"], ["4"], ["5", "6"]]);
});

test("FAULT15 who waits too long for those before it is refused, and never runs", async () => {
  const lines = new Lines(oneByOne, 20);
  const ran: string[] = [];
  const slow = lines.run("a", true, () => sleep(60));
  const late = lines.run("a", true, async () => ran.push("late"));
  await assert.rejects(late, DatabaseUnavailable);
  const next = lines.run("a", true, async () => ran.push("next"));
  await assert.rejects(next, DatabaseUnavailable);
  await slow;
  await lines.run("a", true, async () => ran.push("again"));
  assert.deepEqual(ran, ["again"]);
});
