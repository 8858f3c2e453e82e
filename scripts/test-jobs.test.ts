import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { until } from "../packages/server/test/support/until.ts";
import { runJob, testCommand } from "./test-jobs.ts";

const LIMIT_MS = 60_000;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-jobs-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = `import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";
/** Starts a program that runs for ever, and notes its process id. */
const startForever = (detached) => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { detached });
  writeFileSync(import.meta.filename + (detached ? ".detached" : ".pid"), String(child.pid));
};
`;

async function run(name: string, source: string, limitMs = LIMIT_MS) {
  const file = join(folder, `${name}.test.mjs`);
  writeFileSync(file, HEAD + source);
  const output: string[] = [];
  const command = testCommand(file, []);
  const result = await runJob({ files: [`${name}.test.ts`], command, isTests: true }, limitMs, (text) =>
    output.push(text),
  );
  return { ...result, output: output.join("") };
}

/** A process that was killed may wait to be reaped. */
function isEnded(name: string): boolean {
  const stat = `/proc/${readFileSync(join(folder, name), "utf8")}/stat`;
  return !existsSync(stat) || readFileSync(stat, "utf8").split(") ")[1]?.[0] === "Z";
}

const hasEnded = (name: string) => until(`the process of ${name} has ended`, () => isEnded(name));

const isLinux = { skip: process.platform !== "linux" && "no right: processes are listed on Linux alone" };

test("a test job counts its tests and names failed and skipped ones", async () => {
  const result = await run(
    "counts",
    `test("one\\u2028\\r\\n\ud83d\ude00", () => {});
     describe("several", () => { test("two", () => {}); test("wrong", () => assert.equal(1, 2)); });
     test("absent", { skip: "no peer" }, () => {});`,
  );
  assert.deepEqual([result.passed, result.skipped], [2, ["no peer"]]);
  assert.deepEqual(result.failures, ["counts.test.ts: wrong"]);
  assert.match(result.output, /✖ wrong/);
  assert.ok((result.times.get("counts.test.ts")?.cpu ?? 0) > 0);
});

test("a failing suite, a crash and a file without tests are failures", async () => {
  const suite = await run("suite", `describe("bad", () => { throw new Error("no"); });`);
  assert.deepEqual(suite.failures, ["suite.test.ts: bad"]);
  const crash = await run(
    "crash",
    `test("last words", async () => {
       for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
       process.kill(process.pid, "SIGKILL");
     });`,
  );
  assert.deepEqual(crash.failures, ['crash.test.ts: ended with SIGKILL, during "last words"']);
  assert.deepEqual((await run("empty", "")).failures, ["empty.test.ts: has no test"]);
});

test("a test file that fails ends together with the server it left running", isLinux, async () => {
  const { failures, output } = await run(
    "leaves",
    `test("wrong", () => { startForever(false); startForever(true); assert.fail("no"); });`,
  );
  assert.deepEqual(failures, ["leaves.test.ts: wrong"]);
  await hasEnded("leaves.test.mjs.pid");
  await hasEnded("leaves.test.mjs.detached");
  assert.match(output, /AssertionError.*: no$/m);
});

test("a test file that passes ends together with all processes it left running", isLinux, async () => {
  const { passed, failures, output } = await run("stays", `test("fine", () => startForever(false));`);
  assert.deepEqual([passed, failures], [1, []]);
  await hasEnded("stays.test.mjs.pid");
  assert.match(output, /stays.test.ts left behind: .*setInterval/);
});

test("a test file that runs out of time is named with its test, and its processes are killed", isLinux, async () => {
  let limitMs = 2_000;
  const hang = () =>
    run(
      "hangs",
      `test("waits", async () => {
         startForever(false);
         startForever(true);
         await new Promise((never) => setTimeout(never, 1e9));
       });`,
      limitMs,
    );
  let { failures } = await hang();
  // On a busy machine the process may not have come to its test.
  while (!existsSync(join(folder, "hangs.test.mjs.detached"))) {
    limitMs *= 2;
    ({ failures } = await hang());
  }
  assert.equal(failures[0], `hangs.test.ts: not finished after ${limitMs / 1000} s, during "waits"`);
  await hasEnded("hangs.test.mjs.pid");
  await hasEnded("hangs.test.mjs.detached");
});

test("in a process of several files, times and failures are attributed to each file", async () => {
  const files = ["first.test.ts", "second.test.ts"];
  for (const name of files)
    writeFileSync(
      join(folder, `${name}.mjs`),
      `${HEAD}test("in ${name}", () => assert.equal("${name}", "first.test.ts"));`,
    );
  const imports = files.map((name) => {
    const url = pathToFileURL(join(folder, `${name}.mjs`)).href;
    return `describe("${name}", async () => void (await import("${url}")));`;
  });
  const group = join(folder, "group.mjs");
  writeFileSync(group, `import { describe } from "node:test";\n${imports.join("\n")}`);
  const job = { files, command: testCommand(group, []), isTests: true };
  const { passed, failures, times } = await runJob(job, LIMIT_MS, () => undefined);
  assert.equal(passed, 1);
  assert.deepEqual(failures, ["second.test.ts: in second.test.ts"]);
  assert.deepEqual([...times.keys()], files);
});

test("a command passes if it exits with 0", async () => {
  const job = (code: number) => ({
    files: ["a check"],
    command: [process.execPath, "-e", `process.exit(${code})`],
    isTests: false,
  });
  const run = (code: number) => runJob(job(code), LIMIT_MS, () => undefined);
  assert.equal((await run(0)).passed, 1);
  assert.deepEqual((await run(2)).failures, ["a check: ended with exit code 2"]);
});
