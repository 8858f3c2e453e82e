import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../errors.ts";
import { alreadyHas, checkExpected, parseIfMatch, requireExpected } from "./preconditions.ts";

test("PRE2 If-Match is one version, quoted or not, weak or not, or *", () => {
  for (const header of ['"sha256:a"', "sha256:a", 'W/"sha256:a"', ' "sha256:a" ', "w/sha256:a"])
    assert.equal(parseIfMatch(header), "sha256:a", header);
  assert.equal(parseIfMatch("*"), "*");
  assert.equal(parseIfMatch(undefined), undefined);
  assert.equal(parseIfMatch("  "), undefined);
});

test("PRE2 another version than the current one is a conflict that names both", () => {
  for (const fine of [undefined, "*", "v1"]) checkExpected(fine, "v1");
  assert.throws(() => checkExpected("v0", "v1"), { code: "version_conflict" });
  try {
    checkExpected("v0", "v1");
  } catch (error) {
    assert.ok(error instanceof ApiError);
    const { details } = error;
    assert.deepEqual([details.current_version, details.expected_version], ["v1", "v0"]);
  }
});

test("PRE1 no version is 428", () => {
  assert.throws(() => requireExpected(undefined), { code: "precondition_required" });
  assert.equal(requireExpected("v"), "v");
});

test("PRE3 If-None-Match may list versions, or *", () => {
  assert.ok(alreadyHas('"a", W/"b"', "b"));
  assert.ok(alreadyHas("*", "b"));
  assert.ok(!alreadyHas('"a"', "b"));
  assert.ok(!alreadyHas(undefined, "b"));
});
