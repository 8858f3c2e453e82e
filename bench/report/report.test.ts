import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cell, Goal, Results, Row } from "../harness/results.ts";
import { goalTable } from "./goals.ts";
import { operationTable, postgresTable, verdict } from "./tables.ts";

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

test("a goal is met when it is met at every number of connections", () => {
  assert.equal(verdict(row([cell(1, 100, 50), cell(16, 100, 60)], half)), "met");
  assert.equal(verdict(row([cell(1, 100, 49), cell(16, 100, 60)], half)), "**MISSED** at 1");
  assert.equal(verdict(row([cell(1, 100, 301)], { kind: "ratio-most", value: 3 })), "**MISSED**");
  assert.equal(verdict(row([cell(1, 1, 149)], { kind: "most", value: 150 })), "met");
});

test("PostgreSQL must reach 30 % of SQLite's reads and 50 % of its writes", () => {
  const goal: Goal = { kind: "ratio-least", value: 0.5 };
  const at16 = (value: number, name: string) => row([cell(16, 1000, value)], goal, name);
  const text = postgresTable(
    [at16(400, "metadata"), at16(400, "create with 10 KB")],
    [at16(1000, "metadata"), at16(1000, "create with 10 KB")],
  );
  assert.match(text, /metadata .* 40 % \| ≥ 30 % \| met/);
  assert.match(text, /create .* 40 % \| ≥ 50 % \| \*\*MISSED\*\*/);
});

test("the slowest 1 % of requests are shown beside their goal where they were measured", () => {
  const waiting = (limit: number, ours: number): Row => ({
    ...row([{ connections: 16, limit: { ...figure(1), p99: limit }, ours: { ...figure(1), p99: ours } }], half),
    p99Goal: 2,
  });
  assert.match(operationTable([waiting(10, 20)]), /\| 10 \/ 20, ≤ 2 × met \|/);
  assert.match(operationTable([waiting(10, 21)]), /\| 10 \/ 21, ≤ 2 × \*\*MISSED\*\* \|/);
  assert.doesNotMatch(operationTable([row([cell(16, 1, 1)], half)]), /p99/);
});

test("all goals stand in one table, with the operations that miss theirs", () => {
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
