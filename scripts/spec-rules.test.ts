import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

const SPEC = resolve(import.meta.dirname, "../docs/SPEC.md");

test("ARCH7 each rule of the specification has a number of its own", () => {
  const rules = readFileSync(SPEC, "utf8")
    .split("\n")
    .flatMap((line) => /^- \**([A-Z]+\d+)\b/.exec(line)?.[1] ?? []);
  assert.ok(rules.length > 500);
  const seen = new Set<string>();
  assert.deepEqual(
    rules.filter((rule) => seen.size === seen.add(rule).size),
    [],
  );
});
