import { type Cell, meets, type Row, ratioOf } from "../harness/results.ts";
import { element, image, label, line, logScale } from "./svg.ts";
import { percent } from "./text.ts";

const WIDTH = 860;
const LEFT = 300;
const RIGHT = 60;
const TOP = 84;
const LINE = 24;
const LOW = 0.05;
const HIGH = 5;
const TICKS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** svc as a share of its limit, one line for each operation: a dot at 1 and at 16 connections, and the goal. */
export function ratioChart(title: string, rows: readonly Row[]): string {
  const height = TOP + rows.length * LINE + 30;
  const x = (ratio: number) => logScale(LOW, HIGH, LEFT, WIDTH - RIGHT)(Math.min(HIGH, Math.max(LOW, ratio)));
  const grid = TICKS.flatMap((tick) => [
    line(x(tick), TOP - 8, x(tick), height - 26, tick === 1 ? "axis" : "grid"),
    label(x(tick), height - 10, percent(tick), { "text-anchor": "middle", class: "quiet" }),
  ]);
  const lines = rows.flatMap((row, index) => drawRow(row, TOP + index * LINE + LINE / 2, x));
  return image(WIDTH, height, title, [...legend(), ...grid, ...lines]);
}

function drawRow(row: Row, y: number, x: (ratio: number) => number): string[] {
  const goal =
    row.goal?.kind === "ratio-least" ? [line(x(row.goal.value), y - 9, x(row.goal.value), y + 9, "goal")] : [];
  return [
    label(LEFT - 16, y + 4, row.operation, { "text-anchor": "end" }),
    ...goal,
    ...row.cells.map((cell) => dot(row, cell, x(ratioOf(cell)), y)),
  ];
}

function dot(row: Row, cell: Cell, cx: number, cy: number): string {
  const missed = row.goal && !meets(row.goal, cell) ? " missed" : "";
  const kind = cell.connections === 1 ? "one" : "many";
  const text = `${row.operation}, ${cell.connections} connections: ${percent(ratioOf(cell))}`;
  return element("circle", { cx, cy, r: 5.5, class: kind + missed }, element("title", {}, text));
}

function legend(): string[] {
  const y = 52;
  return [
    element("circle", { cx: 26, cy: y - 4, r: 5.5, class: "one" }),
    label(38, y, "1 connection"),
    element("circle", { cx: 136, cy: y - 4, r: 5.5, class: "many" }),
    label(148, y, "16 connections"),
    line(258, y - 13, 258, y + 5, "goal"),
    label(268, y, "goal"),
    element("circle", { cx: 322, cy: y - 4, r: 5.5, class: "many missed" }),
    label(334, y, "goal missed"),
    label(WIDTH - 20, y, "requests per second as a share of the limit (logarithmic)", {
      "text-anchor": "end",
      class: "quiet",
    }),
  ];
}
