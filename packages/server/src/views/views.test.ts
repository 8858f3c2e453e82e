import assert from "node:assert/strict";
import { test } from "node:test";
import { LAST_STEP_ORDER } from "../db/transaction/last-steps.ts";
import { views } from "./index.ts";

test("views have unique names, and their last steps run in a fixed order before the events", () => {
  const names = views.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, String(names));
  const steps = views.flatMap(({ lastStep }) => lastStep ?? []);
  assert.ok(steps.length > 0);
  assert.equal(new Set(steps).size, steps.length, String(steps));
  const events = LAST_STEP_ORDER.indexOf("events");
  for (const step of steps) assert.ok(LAST_STEP_ORDER.indexOf(step) < events, step);
});
