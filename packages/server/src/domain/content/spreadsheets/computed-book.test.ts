import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTable } from "@svc/document/sheet/make-table";
import { finishedTasks } from "../../../threads/pool.ts";
import { computedBook } from "./computed-book.ts";
import { readFile } from "./import-file.ts";

const now = Date.UTC(2026, 0, 31);
const bodyOf = (version: string, formula: string, rows: number) => ({
  version,
  blocks: [makeTable({ rows: Array.from({ length: rows }, () => [formula]) })],
});

/** Number of tasks that the pool finished meanwhile. */
async function tasksOf(run: () => Promise<unknown>): Promise<number> {
  const before = finishedTasks();
  await run();
  return finishedTasks() - before;
}

test("SHEET3 sheets that take many steps are computed in a thread, and once for each version", async () => {
  const heavy = bodyOf("v1_heavy", '=LEN(PROPER(REPT("aB 1",8000)))', 10);
  const values: unknown[] = [];
  const read = async () => values.push((await computedBook(heavy, now)).value(0, 9, 0));
  assert.equal(await tasksOf(() => Promise.all([read(), read()])), 1);
  assert.equal(await tasksOf(read), 0);
  assert.deepEqual(values, [32_000, 32_000, 32_000]);
});

test("SHEET3 small sheets are computed at once", async () => {
  const small = bodyOf("v1_small", "=1+1", 10);
  assert.equal(await tasksOf(async () => assert.equal((await computedBook(small, now)).value(0, 9, 0), 2)), 0);
});

test("SHEET3 days and errors come back from the thread as they were", async () => {
  const rows = [
    ['=LEN(PROPER(REPT("aB 1",8000)))'],
    ["=DATE(2026,1,31)"],
    ["=1/0"],
    ['="a"&1'],
    ["=1=1"],
    ["=TODAY()"],
  ];
  const filled = [...rows, ...Array.from({ length: 5 }, () => ['=LEN(PROPER(REPT("aB 1",8000)))'])];
  const book = await computedBook({ version: "v1_kinds", blocks: [makeTable({ rows: filled })] }, now);
  const shown = [1, 2, 3, 4, 5].map((row) => book.shown(0, row, 0));
  assert.deepEqual(shown, ["2026-01-31", "#DIV/0!", "a1", "TRUE", "2026-01-31"]);
});

test("SHEET9 workbooks are read in a thread", async () => {
  const file = { format: "xlsx", content: Buffer.from("no archive").toString("base64") } as const;
  assert.equal(await tasksOf(async () => assert.ok((await readFile(file)) instanceof Error)), 1);
  assert.equal(await tasksOf(() => readFile({ format: "csv", content: "a,b" })), 0);
});
