import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CORE,
  type FileGroup,
  filesOf,
  groupFiles,
  hasSuitesOfBoth,
  ON_BOTH_DATABASES,
  partOf,
  REST,
  testFiles,
} from "./test-plan.ts";

/** The runs of a part: each file, once per database where its suites are divided. */
const unitsOf = (groups: readonly FileGroup[]): string[] =>
  groups.flatMap(({ files, only }) =>
    files.flatMap((file) =>
      (only || !hasSuitesOfBoth(file) ? [only ?? "all"] : ["sqlite", "postgres"]).map((kind) => `${file} ${kind}`),
    ),
  );

test("every test file, on each of its databases, belongs to exactly one of the two runs", () => {
  const expected = testFiles().flatMap((file) =>
    (hasSuitesOfBoth(file) ? ["sqlite", "postgres"] : ["all"]).map((kind) => `${file} ${kind}`),
  );
  const planned = [...unitsOf(filesOf("core")), ...unitsOf(filesOf("rest"))];
  assert.deepEqual(planned.sort(), expected.sort());
});

test("every line of the test plan names a test file, and no line covers another", () => {
  const files = testFiles();
  for (const lines of [REST, CORE, ON_BOTH_DATABASES])
    for (const line of lines) {
      assert.ok(
        files.some((file) => file.startsWith(line)),
        `no test file begins with ${line}`,
      );
      assert.deepEqual(
        lines.filter((other) => other !== line && other.startsWith(line)),
        [],
        `${line} covers these lines`,
      );
    }
  for (const line of CORE)
    assert.ok(
      REST.some((rest) => line.startsWith(rest)),
      `${line} is no exception`,
    );
  for (const line of ON_BOTH_DATABASES) {
    const covered = files.filter((file) => file.startsWith(line));
    assert.ok(
      covered.some((file) => hasSuitesOfBoth(file)),
      `${line} has no suite for both databases`,
    );
    assert.ok(
      covered.some((file) => partOf(file) === "core"),
      `${line} is not in npm test`,
    );
  }
});

test("grouping test files loses and repeats none", () => {
  for (const part of ["core", "rest"] as const)
    for (const group of filesOf(part)) {
      const grouped = groupFiles(group).flatMap(({ files }) => files);
      assert.deepEqual(grouped.sort(), [...group.files].sort());
    }
});
