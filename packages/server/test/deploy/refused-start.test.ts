import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { portOf } from "@svc/server/http/port-of";
import { MAIN, runProgram } from "../support/process.ts";
import { noSmallDisk, SmallDisk } from "../support/small-disk.ts";

/** Checks that the server ends with exit code 1 and one line that says what to do. */
async function isRefused(settings: Record<string, string>, line: RegExp): Promise<void> {
  const done = await runProgram(MAIN, [], { SVC_PORT: "0", ...settings });
  assert.equal(done.code, 1, done.stderr);
  assert.match(done.stderr, line);
  assert.equal(done.stderr.trim().split("\n").length, 1, done.stderr);
}

test("SHIP4 a port in use ends the start with the next step", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  const folder = mkdtempSync(join(tmpdir(), "svc-refused-"));
  try {
    await new Promise((listening) => other.once("listening", listening));
    const settings = { SVC_DATA_DIR: folder, SVC_PORT: String(portOf(other)) };
    await isRefused(
      settings,
      /^svc: Setting SVC_PORT is .*Stop the program that uses this port, or set another port\.$/m,
    );
  } finally {
    other.close();
    rmSync(folder, { recursive: true });
  }
});

test("SHIP4 a wrong setting ends the start with what is allowed", async () => {
  await isRefused({ SVC_WORKERS: "many" }, /^svc: Setting SVC_WORKERS is "many", allowed is /);
  await isRefused({ SVC_DATABASE_URL: "mysql://x/y" }, /^svc: Setting SVC_DATABASE_URL .*postgres:\/\//);
  await isRefused({ SVC_BASE_URL: "kb.example.com" }, /^svc: Setting SVC_BASE_URL .*allowed is /);
});

test("SHIP4 a disk that is full, or read-only, ends the start with the next step", {
  skip: noSmallDisk(),
}, async () => {
  using disk = new SmallDisk(2);
  const data = join(disk.directory, "data");
  mkdirSync(data);
  disk.fill();
  await isRefused({ SVC_DATA_DIR: data }, /^svc: .*Free some space on that disk, then start again\.$/m);
  disk.empty();
  disk.makeReadOnly();
  await isRefused(
    { SVC_DATA_DIR: data },
    /^svc: Setting SVC_DATA_DIR .*(a folder that can be written|the right to read and write)/,
  );
});

test("SHIP4 a folder of another user ends the start with the right that is missing", {
  skip: process.getuid?.() === 0 ? false : "no right: the folder of another user has to be made by root",
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-refused-"));
  try {
    execFileSync("chmod", ["755", folder]);
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    const script = `SVC_PORT=0 SVC_DATA_DIR=${folder}/data exec ${process.execPath} ${MAIN} 2>&1`;
    // A user without rights in the folder, but with the right to read the program.
    const args = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const capabilities = ["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"];
    const { stdout: output } = spawnSync("setpriv", [...args, ...capabilities, "sh", "-c", script], {
      encoding: "utf8",
    });
    assert.match(
      output,
      /^svc: Setting SVC_DATA_DIR .*Give the user with the id 65534 the right to read and write there\.\n$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
