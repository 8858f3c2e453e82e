import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import { Loop } from "./loop.ts";

const HOUR_MS = 3_600_000;
/** Long enough for a round too many to show itself. */
const LULL_MS = 60;
const failed = () => undefined;

test("LOOP1 a round that has more is followed at once, otherwise after the pause", async () => {
  let rounds = 0;
  const loop = new Loop({ round: () => ++rounds < 5, pauseMs: HOUR_MS, firstAfterMs: 0, failed });
  await until("there is no more to do", () => rounds >= 5);
  await sleep(LULL_MS);
  assert.equal(rounds, 5);
  await loop.stop();
});

test("LOOP1 the first round comes after a pause, unless it is said otherwise", async () => {
  let rounds = 0;
  const began = performance.now();
  const loop = new Loop({ round: () => void rounds++, pauseMs: 30, failed });
  assert.equal(rounds, 0);
  await until("two pauses have passed", () => rounds >= 2);
  assert.ok(performance.now() - began >= 55, "each round waits for its pause");
  await loop.stop();
});

test("LOOP2 it can be woken, also in the middle of a round; calls that come together share one", async () => {
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

test("LOOP3 a failure is told and does not end it; a stop waits for the round and is told nothing", async () => {
  const told: unknown[] = [];
  let rounds = 0;
  const loop = new Loop({
    round: async () => {
      rounds++;
      await sleep(30);
      throw new Error(`round ${rounds}`);
    },
    pauseMs: 5,
    firstAfterMs: 0,
    failed: (error) => told.push(error),
  });
  await until("the third round has begun", () => rounds >= 3);
  const [begun, before] = [rounds, told.length];
  await loop.stop();
  assert.ok(before >= 2);
  assert.equal(rounds, begun);
  assert.equal(told.length, before, "the last one failed after the stop");
});
