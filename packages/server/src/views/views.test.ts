import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_RANK } from "../db/transaction/last-steps.ts";
import { views } from "./index.ts";

test("ARCH4 views have names of their own, and last steps that lock one after the other before the events", () => {
  const names = views.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, String(names));
  const ranks = views.flatMap(({ lastStepRank }) => lastStepRank ?? []);
  assert.equal(new Set(ranks).size, ranks.length, String(ranks));
  for (const rank of ranks) assert.ok(rank < EVENT_RANK, String(rank));
});
