import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { findProgram } from "../support/peers/peer.ts";
import { until } from "../support/until.ts";

const root = resolve(import.meta.dirname, "../../../..");
const unit = readFileSync(join(root, "deploy/systemd/svc.service"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "svc-systemd-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const valuesOf = (key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value ?? "");
/** The unit's paths, as they are here. */
const here = (text: string): string =>
  text
    .replaceAll("/opt/svc", root)
    .replaceAll("/var/lib/svc", join(folder, "store"))
    .replaceAll("/etc/svc.env", join(folder, "svc.env"));

test("OPS12 systemd accepts the unit", {
  skip: findProgram("systemd-analyze") ? false : "no systemd-analyze",
}, async () => {
  const file = join(folder, "svc.service");
  writeFileSync(file, here(unit).replace(/^(User|Group)=svc$/gm, "$1=root"));
  const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", file]);
  // Units of this machine may have faults of their own.
  assert.doesNotMatch(stdout + stderr, /svc\.service/);
});

test("OPS12 the unit's command serves with the unit's settings, and ends cleanly within its time", async () => {
  const [command = ""] = valuesOf("ExecStart").map(here);
  const [program = "", ...args] = command.split(" ");
  assert.ok(existsSync(program), program);
  const settings = Object.fromEntries(valuesOf("Environment").map((line) => here(line).split("=")));
  const env = { PATH: process.env.PATH, ...settings, SVC_PORT: "0" };
  const child = spawn(program, args, { cwd: here(valuesOf("WorkingDirectory")[0] ?? ""), env });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const address = () => /"address":"([^"]+)"/.exec(output)?.[1];
  await until("the server serves", () => {
    assert.equal(child.exitCode, null, output);
    return address() !== undefined;
  });
  assert.equal((await fetch(`${address()}/readyz`)).status, 200);
  assert.ok(existsSync(join(folder, "store/svc.db")));
  const started = performance.now();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.ok(performance.now() - started < Number(valuesOf("TimeoutStopSec")[0]) * 1000);
});
