import { defined } from "@svc/document/defined";
/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? defined(sorted[half]) : (defined(sorted[half - 1]) + defined(sorted[half])) / 2;
}

/** The least value that such a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The exponent of the power law that fits best: 0 is constant, 1 is linear (least squares over the logarithms). */
export function slopeOf(points: readonly Point[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (pick: (point: Point) => number) => logs.reduce((sum, point) => sum + pick(point), 0) / logs.length;
  const [middleX, middleY] = [mean((point) => point.x), mean((point) => point.y)];
  const over = logs.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0);
  const under = logs.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  return over / under;
}
