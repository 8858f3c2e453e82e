import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { type Cell, type Goal, ResultFiles, type Results, type Row } from "../harness/results.ts";
import { goalTable } from "./goals.ts";
import { spreadApart } from "./growth-chart.ts";
import { fillMarkers } from "./markers.ts";
import { operationTable, postgresTable } from "./tables.ts";
import { verdict } from "./text.ts";
import { makeReport } from "./write-report.ts";

const figure = (value: number) => ({ value, low: value, high: value, cpu: 10 });
const cell = (connections: number, limit: number, ours: number): Cell => ({
  connections,
  limit: figure(limit),
  ours: figure(ours),
});
const row = (cells: Cell[], goal: Goal, operation = "metadata"): Row => ({
  part: "sqlite",
  operation,
  against: "a < b",
  unit: "req/s",
  cells,
  goal,
  bound: "x",
});

const half: Goal = { kind: "ratio-least", value: 0.5 };

test("BENCH2 a goal is met when every number of connections meets it", () => {
  assert.equal(verdict(row([cell(1, 100, 50), cell(16, 100, 60)], half)), "met");
  assert.equal(verdict(row([cell(1, 100, 49), cell(16, 100, 60)], half)), "**MISSED** at 1");
  assert.equal(verdict(row([cell(1, 100, 301)], { kind: "ratio-most", value: 3 })), "**MISSED**");
  assert.equal(verdict(row([cell(1, 1, 149)], { kind: "most", value: 150 })), "met");
});

test("BENCH2 PostgreSQL is held against SQLite: 30 % of a read, 50 % of a write", () => {
  const goal: Goal = { kind: "ratio-least", value: 0.5 };
  const at16 = (value: number, name: string) => row([cell(16, 1000, value)], goal, name);
  const text = postgresTable(
    [at16(400, "metadata"), at16(400, "create with 10 KB")],
    [at16(1000, "metadata"), at16(1000, "create with 10 KB")],
  );
  assert.match(text, /metadata .* 40 % \| ≥ 30 % \| met/);
  assert.match(text, /create .* 40 % \| ≥ 50 % \| \*\*MISSED\*\*/);
});

test("BENCH2 the slowest of 100 requests are shown where they were measured, beside what is wanted of them", () => {
  const waiting = (limit: number, ours: number): Row => ({
    ...row([{ connections: 16, limit: { ...figure(1), p99: limit }, ours: { ...figure(1), p99: ours } }], half),
    p99Goal: 2,
  });
  assert.match(operationTable([waiting(10, 20)]), /\| 10 \/ 20, ≤ 2 × met \|/);
  assert.match(operationTable([waiting(10, 21)]), /\| 10 \/ 21, ≤ 2 × \*\*MISSED\*\* \|/);
  assert.doesNotMatch(operationTable([row([cell(16, 1, 1)], half)]), /p99/);
});

test("BENCH2 all goals stand in one table, with the operations that miss theirs", () => {
  const machine = { cores: 2, processor: "p", memoryGb: 1, system: "s", node: "n" };
  const results = (part: string, rows: Row[], curves: Results["curves"] = []): Results => ({
    ...{ part, machine, commit: "c", day: "d", rows, curves },
  });
  const curve = { part: "growth-x", over: "x", unit: "ms", points: [1, 10].map((x) => ({ x, y: x })), why: "w" };
  const text = goalTable([
    results("growth-x", [], [{ ...curve, operation: "steep", bound: 0.5 }]),
    results("postgres", [row([cell(16, 1000, 400)], half, "metadata"), row([cell(16, 1, 1)], half, "alone")]),
    results("sqlite", [row([cell(1, 100, 40), cell(16, 100, 1000)], half, "metadata")]),
  ]);
  assert.deepEqual(text.split("\n").slice(2), [
    "| synthetic text asked for again, SQLite | 0 of 1 | metadata |",
    "| synthetic text asked for again, PostgreSQL | 1 of 1 |  |",
    "| how cost grows | 0 of 1 | steep |",
  ]);
});

test("BENCH4 a table goes between its markers, and a table without a place is an error", () => {
  const page = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
  const filled = fillMarkers(page, new Map([["x", "new"]]));
  assert.equal(filled, "a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n");
  assert.equal(fillMarkers(filled, new Map([["x", "new"]])), filled);
  assert.throws(() => fillMarkers(page, new Map([["y", "new"]])), /no place/);
});

test("BENCH4 labels of a chart do not lie on each other, and stay in it", () => {
  const places = spreadApart([100, 101, 99, 419, 419]);
  const sorted = places.toSorted((a, b) => a - b);
  for (let i = 1; i < sorted.length; i++) assert.ok(defined(sorted[i]) - defined(sorted[i - 1]) >= 16);
  assert.ok(defined(sorted.at(-1)) <= 420);
  assert.ok(defined(places[2]) < defined(places[0]) && defined(places[0]) < defined(places[1]));
});

test("BENCH4 docs/performance.md shows the published figures and nothing else", () => {
  const docs = resolve(import.meta.dirname, "../../docs");
  const page = readFileSync(join(docs, "performance.md"), "utf8");
  const published = join(docs, "performance");
  const { sections, charts } = makeReport(existsSync(published) ? new ResultFiles(published).all() : []);
  assert.equal(fillMarkers(page, sections), page);
  for (const [name, chart] of charts) {
    assert.equal(readFileSync(join(published, `${name}.svg`), "utf8"), chart);
    assert.match(page, new RegExp(`performance/${name}\\.svg`));
  }
});
