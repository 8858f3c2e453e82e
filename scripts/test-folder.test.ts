import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeTestFolder, removeAbandoned } from "./test-folder.ts";

test("a test run's stores are in a folder that every user may enter, removed with the run", () => {
  const { folder, remove } = makeTestFolder();
  assert.equal(statSync(folder).mode & 0o777, 0o711);
  writeFileSync(join(folder, "store"), "");
  remove();
  assert.ok(!existsSync(folder));
  assert.ok(existsSync(dirname(folder)));
});

test("a run removes the folders of killed runs, but not of running ones", () => {
  const parent = mkdtempSync(join(tmpdir(), "svc-abandoned-"));
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const [abandoned, used, other] = [`svc-tests-${ended}-a`, `svc-tests-${process.pid}-b`, "svc-test-c"];
  for (const name of [abandoned, used, other]) mkdirSync(join(parent, name, "inner"), { recursive: true });
  removeAbandoned(parent);
  assert.ok(!existsSync(join(parent, abandoned)));
  assert.ok(existsSync(join(parent, used)));
  assert.ok(existsSync(join(parent, other)));
  rmSync(parent, { recursive: true });
});
