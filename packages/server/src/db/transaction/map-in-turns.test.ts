import assert from "node:assert/strict";
import { test } from "node:test";
import { mapInTurns } from "./yield-to-writers.ts";

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test("BODY33 other work runs while a long list is mapped, and the results keep their order", async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 1000 }, (_, i) => i);
  const made = await mapInTurns(items, (item, index) => {
    busy(0.5);
    return [item, index];
  });
  isDone = true;
  assert.deepEqual(
    made,
    items.map((i) => [i, i]),
  );
  assert.ok(turns >= 5, `only ${turns} turns of the event loop during half a second of work`);
});
