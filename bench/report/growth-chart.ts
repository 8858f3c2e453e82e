import { defined } from "@svc/document/defined";
import type { Curve } from "../harness/results.ts";
import { slopeOf } from "../harness/statistics.ts";
import { element, image, label, line, logScale } from "./svg.ts";
import { shown } from "./text.ts";

const WIDTH = 860;
const HEIGHT = 440;
const LEFT = 70;
const RIGHT = 330;
const TOP = 60;
const BOTTOM = 60;
const COLOURS = ["#2f81f7", "#f59e0b", "#10b981", "#e5534b", "#a371f7", "#14b8a6", "#ec4899", "#84cc16", "#8b949e"];

const powersBetween = (low: number, high: number): number[] => {
  const powers: number[] = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * 1.0001; power++) powers.push(10 ** power);
  return powers;
};

/** Curves of cost over size, both logarithmic: a flat line is constant, a diagonal one linear. */
export function growthChart(title: string, curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [lowX, highX] = [Math.min(...xs), Math.max(...xs)];
  const [lowY, highY] = [10 ** Math.floor(Math.log10(Math.min(...ys))), 10 ** Math.ceil(Math.log10(Math.max(...ys)))];
  const x = logScale(lowX, highX, LEFT, WIDTH - RIGHT);
  const y = logScale(lowY, highY, HEIGHT - BOTTOM, TOP);
  const grid = [
    ...[...new Set(xs)].flatMap((tick) => [
      line(x(tick), TOP, x(tick), HEIGHT - BOTTOM, "grid"),
      label(x(tick), HEIGHT - BOTTOM + 20, shown(tick), { "text-anchor": "middle", class: "quiet" }),
    ]),
    ...powersBetween(lowY, highY).flatMap((tick) => [
      line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid"),
      label(LEFT - 8, y(tick) + 4, costText(tick, curves), { "text-anchor": "end", class: "quiet" }),
    ]),
    label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, defined(curves[0]).over, {
      "text-anchor": "middle",
      class: "quiet",
    }),
  ];
  const ends = spreadApart(curves.map((curve) => y(defined(curve.points.at(-1)).y)));
  const drawn = curves.flatMap((curve, i) => {
    const colour = defined(COLOURS[i % COLOURS.length]);
    const path = curve.points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ");
    const end = { x: x(defined(curve.points.at(-1)).x), y: y(defined(curve.points.at(-1)).y) };
    return [
      element("polyline", { points: path, fill: "none", stroke: colour, "stroke-width": 2, ...dashes(curve) }),
      ...curve.points.map((point) => element("circle", { cx: x(point.x), cy: y(point.y), r: 3, fill: colour })),
      element("polyline", { points: `${end.x + 5},${end.y} ${end.x + 16},${ends[i]}`, fill: "none", stroke: colour }),
      element("circle", { cx: end.x + 22, cy: defined(ends[i]), r: 4, fill: colour }),
      label(end.x + 32, defined(ends[i]) + 4, `${curve.operation}: ${slopeOf(curve.points).toFixed(2)}`),
    ];
  });
  return image(WIDTH, HEIGHT, `${title} (slope behind each name)`, [...grid, ...drawn]);
}

/** What is only shown for comparison is dashed. */
const dashes = (curve: Curve): Record<string, string> =>
  curve.bound === undefined ? { "stroke-dasharray": "5 4" } : {};

const costText = (value: number, curves: readonly Curve[]): string => {
  if (curves.every((curve) => curve.unit === "MB")) return `${shown(value)} MB`;
  if (curves.every((curve) => curve.unit.startsWith("ms"))) return `${shown(value)} ms`;
  return value >= 1000 ? `${shown(value / 1000)} ms` : `${shown(value)} µs`;
};

/** Moves labels apart that would lie on each other, keeping their order. */
export function spreadApart(places: readonly number[], distance = 16): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  const moved = order.map(({ place }) => place);
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(defined(moved[i]), defined(moved[i - 1]) + distance);
  const over = (moved.at(-1) ?? 0) - (HEIGHT - 20);
  if (over > 0) {
    moved[moved.length - 1]! -= over;
    for (let i = moved.length - 2; i >= 0; i--)
      moved[i] = Math.min(defined(moved[i]), defined(moved[i + 1]) - distance);
  }
  const result: number[] = new Array(places.length);
  order.forEach(({ index }, i) => {
    result[index] = defined(moved[i]);
  });
  return result;
}
