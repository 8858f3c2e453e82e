import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { defined } from "@svc/document/defined";
import { ResultFiles } from "./harness/results.ts";

const directory = mkdtempSync(join(tmpdir(), "svc-bench-test-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a part of the suite with next to no requests; its figures mean nothing, its results have their shape. */
function smoke(
  file: string,
  only: string,
  more: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  const env = { PATH: process.env.PATH, SMOKE: "1", ONLY: only, RESULTS: directory, ...more };
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((done) => child.once("exit", (code) => done({ code, said })));
}

const operations = [
  "metadata",
  "body as Markdown",
  "body, not modified (304)",
  "list, page of 25",
  "one block",
  "search, a rare word",
  "replace a body, wholly new",
  "replace a body, one paragraph changed",
  "edit one block of 100, one hot document",
  "batch of 100 edits",
  "create with 10 KB",
];

test("the benchmark compares each operation with its limit and writes results and a table", async () => {
  const { code, said } = await smoke("bench.ts", `^sqlite: (${operations.map(RegExp.escape).join("|")})$`);
  assert.equal(code, 0, said);
  const files = new ResultFiles(directory);
  const rows = files.load("sqlite")?.rows ?? [];
  assert.deepEqual(
    rows.map((row) => row.operation),
    operations,
  );
  for (const { cells, bound, against } of rows) {
    assert.deepEqual(
      cells.map(({ connections }) => connections),
      [1, 16],
    );
    for (const { limit, ours } of cells)
      for (const side of [limit, ours]) assert.ok(side.value > 0 && defined(side.cpu) > 0);
    assert.ok(bound.length > 0 && against.length > 0);
  }
  const table = readFileSync(join(directory, "tables.md"), "utf8");
  for (const name of operations) assert.ok(table.includes(`| ${name} |`), name);
});

test("the benchmark reads random real documents, searches varying words, and writes", async () => {
  const { code, said } = await smoke("bench.ts", "^real-sqlite: ");
  assert.equal(code, 0, said);
  const rows = new ResultFiles(directory).load("real-sqlite")?.rows ?? [];
  // Four forms in three ways, four compressed, five searches, four writes, memory and import.
  assert.equal(rows.length, 27);
  for (const { cells } of rows) for (const { limit, ours } of cells) assert.ok(limit.value > 0 && ours.value > 0);
  for (const { operation, cached } of rows)
    if (/^body .*(asked again|any of all)/.test(operation))
      assert.ok(cached && cached.share >= 0 && cached.share <= 1, operation);
});

test("the benchmark measures a member who sees half of the knowledge bases beside an owner", async () => {
  const { code, said } = await smoke("bench.ts", "^rights-sqlite: ");
  assert.equal(code, 0, said);
  const rows = new ResultFiles(directory).load("rights-sqlite")?.rows ?? [];
  assert.equal(rows.length, 4);
  for (const { cells } of rows) for (const { limit, ours } of cells) assert.ok(limit.value > 0 && ours.value > 0);
});

test("two commits are measured side by side, each on a store of its own", async () => {
  const env = { PATH: process.env.PATH, SMOKE: "1", ONLY: "^sqlite: metadata$" };
  const args = [join(import.meta.dirname, "commits.ts"), join(import.meta.dirname, "..")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  assert.match(
    stdout,
    /^\| sqlite: metadata (\| \d+ ± \d+ \(\d+\) \| \d+ ± \d+ \(\d+\) \| \**\d+\.\d\d×[^|]* ){2}\|$/m,
  );
});

test("a resumed run skips the operations that have results", async () => {
  const { code, said } = await smoke("bench.ts", "^sqlite: (metadata|one block)$", { RESUME: "1" });
  assert.equal(code, 0, said);
  assert.doesNotMatch(said, /metadata|one block/);
  assert.equal(new ResultFiles(directory).load("sqlite")?.rows.length, operations.length);
});

test("the growth of each operation's cost becomes a curve with a limit", async () => {
  const { code, said } = await smoke("growth.ts", "growth-blocks");
  assert.equal(code, 0, said);
  const curves = new ResultFiles(directory).load("growth-blocks")?.curves ?? [];
  assert.equal(curves.length, 7);
  for (const { points, bound } of curves) {
    assert.ok(points.length >= 2 && points.every(({ x, y }) => x > 0 && y > 0));
    assert.ok(bound !== undefined);
  }
});

test("live documents are measured beside a relay that stores nothing", async () => {
  const { code, said } = await smoke("live.ts", "^(live-sqlite|growth-live(-editors|-blocks)?): ");
  assert.equal(code, 0, said);
  const files = new ResultFiles(directory);
  const rows = files.load("live-sqlite")?.rows ?? [];
  assert.equal(rows.length, 11);
  for (const { cells } of rows) for (const { limit, ours } of cells) assert.ok(limit.value > 0 && ours.value > 0);
  for (const part of ["growth-live", "growth-live-editors", "growth-live-blocks"])
    assert.equal(files.load(part)?.curves[0]?.points.length, 2);
});
