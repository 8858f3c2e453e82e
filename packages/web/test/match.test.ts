import assert from "node:assert/strict";
import { test } from "node:test";
import { matches } from "../src/browser/match.ts";

test("WEB38 letters in their order find a label, whatever their case and accents", () => {
  assert.ok(matches("Handbook", "hbk"));
  assert.ok(matches("Über uns", "uber"));
  assert.ok(matches("Anything", ""));
  assert.ok(matches("Release notes", "rel no"));
  assert.ok(!matches("Handbook", "hkb"));
});
