import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Lines } from "./lines.ts";

test("a line goes one by one and in order, also past a failure; lines do not wait for each other, and leave nothing", async () => {
  const lines = new Lines();
  const told: string[] = [];
  const say = (name: string, ms: number) => async () => {
    told.push(`${name} begins`);
    await sleep(ms);
    told.push(`${name} ends`);
    if (name === "a1") throw new Error("no");
  };
  const failed = assert.rejects(lines.run("a", say("a1", 20)), /no/);
  await Promise.all([failed, lines.run("a", say("a2", 1)), lines.run("b", say("b", 1))]);
  assert.deepEqual(told, ["a1 begins", "b begins", "b ends", "a1 ends", "a2 begins", "a2 ends"]);
  assert.equal(lines.size, 0);
});
