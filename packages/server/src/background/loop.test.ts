import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import { Loop } from "./loop.ts";

const HOUR_MS = 3_600_000;
/** Long enough for a round too many to show itself. */
const LULL_MS = 60;
const failed = () => undefined;

test("a round with more work is followed at once by another, otherwise after the pause", async () => {
  let rounds = 0;
  const loop = new Loop({ round: () => ++rounds < 5, pauseMs: HOUR_MS, firstAfterMs: 0, failed });
  await until("there is no more to do", () => rounds >= 5);
  await sleep(LULL_MS);
  assert.equal(rounds, 5);
  await loop.stop();
});

test("the first round starts after a pause by default", async () => {
  let rounds = 0;
  const began = performance.now();
  const loop = new Loop({ round: () => void rounds++, pauseMs: 30, failed });
  assert.equal(rounds, 0);
  await until("two pauses have passed", () => rounds >= 2);
  assert.ok(performance.now() - began >= 55, "each round waits for its pause");
  await loop.stop();
});

test("a loop can be woken, even during a round; simultaneous calls share a round", async () => {
  let rounds = 0;
  const loop = new Loop({
    round: async () => {
      if (++rounds === 1) loop.wake();
      await sleep(10);
    },
    pauseMs: HOUR_MS,
    firstAfterMs: 0,
    gatherMs: 20,
    failed,
  });
  await until("the round after the first", () => rounds >= 2);
  await sleep(LULL_MS);
  assert.equal(rounds, 2);
  for (let n = 0; n < 10; n++) loop.wake();
  await until("one round for all of them", () => rounds >= 3);
  await sleep(LULL_MS);
  assert.equal(rounds, 3);
  await loop.stop();
});

test("a failed round is reported without ending the loop; a stop waits for the current round", async () => {
  const failures: unknown[] = [];
  let rounds = 0;
  const loop = new Loop({
    round: async () => {
      rounds++;
      await sleep(30);
      throw new Error(`round ${rounds}`);
    },
    pauseMs: 5,
    firstAfterMs: 0,
    failed: (error) => failures.push(error),
  });
  await until("the third round has begun", () => rounds >= 3);
  const [begun, before] = [rounds, failures.length];
  await loop.stop();
  assert.ok(before >= 2);
  assert.equal(rounds, begun);
  assert.equal(failures.length, before, "the last one failed after the stop");
});
