import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-ci-"));
  mkdirSync(join(folder, ".ci"));
  mkdirSync(join(folder, "bin"));
  cpSync(".ci/run", join(folder, ".ci/run"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `.ci/run` with an `npm` that prints these texts and exits with these codes. */
function runCi(replies: { test: [string, number]; all: [string, number]; setup?: number }) {
  const reply = ([text, code]: [string, number]) => `printf '${text}'; exit ${code};;`;
  const npm = `#!/bin/sh
case "$*" in
  ci) exit 0;;
  "run setup:peers") exit ${replies.setup ?? 0};;
  test) echo "skips $SVC_FORBID_SKIPS"; ${reply(replies.test)}
  "run test:all") ${reply(replies.all)}
esac
`;
  writeFileSync(join(folder, "bin/npm"), npm, { mode: 0o755 });
  const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, TMPDIR: folder };
  const { stdout, status } = spawnSync("bash", [join(folder, ".ci/run")], { env, encoding: "utf8" });
  return { stdout, status, last: stdout.trimEnd().split("\n").at(-1) };
}

test(".ci/run forbids skips and adds up the totals of both runs on its last line", () => {
  const { stdout, status, last } = runCi({ test: ["5 passed, 0 failed\\n", 0], all: ["7 passed, 0 failed\\n", 0] });
  assert.deepEqual([status, last], [0, "12 passed, 0 failed"]);
  assert.match(stdout, /^skips 1$/m);
});

test("a failure in either run fails .ci/run, and the other still runs", () => {
  const core = runCi({ test: ["5 passed, 2 failed\\nnpm error\\n", 1], all: ["7 passed, 0 failed\\n", 0] });
  assert.deepEqual([core.status, core.last], [1, "12 passed, 2 failed"]);
  const rest = runCi({ test: ["5 passed, 0 failed\\n", 0], all: ["7 passed, 1 failed\\n", 1] });
  assert.deepEqual([rest.status, rest.last], [1, "12 passed, 1 failed"]);
});

test("a run without totals, or one that fails with none, counts as a failure", () => {
  const silent = runCi({ test: ["", 0], all: ["7 passed, 0 failed\\n", 0] });
  assert.deepEqual([silent.status, silent.last], [1, "7 passed, 1 failed"]);
  const odd = runCi({ test: ["5 passed, 0 failed\\n", 3], all: ["7 passed, 0 failed\\n", 0] });
  assert.deepEqual([odd.status, odd.last], [1, "12 passed, 1 failed"]);
});

test(".ci/run stops when the set-up fails", () => {
  const { status, stdout } = runCi({ test: ["1 passed, 0 failed\\n", 0], all: ["", 0], setup: 1 });
  assert.equal(status, 1);
  assert.doesNotMatch(stdout, /passed/);
});
