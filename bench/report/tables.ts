import { defined } from "@svc/document/defined";
import { type Cell, type Goal, meets, type Results, type Row, ratioOf } from "../harness/results.ts";
import { slopeOf } from "../harness/statistics.ts";

/** A number to be read: three figures, thousands apart. */
function shown(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;
const times = (ratio: number): string => `${shown(ratio)} ×`;

function goalText(goal: Goal | undefined, unit: string): string {
  if (!goal) return "–";
  if (goal.kind === "ratio-least") return goal.value > 1 ? `≥ ${times(goal.value)}` : `≥ ${percent(goal.value)}`;
  if (goal.kind === "ratio-most") return `≤ ${times(goal.value)}`;
  return `${goal.kind === "least" ? "≥" : "≤"} ${shown(goal.value)} ${unit}`;
}

/** Prints rates as a share of the limit, and costs as a multiple of it. */
const ratioText = (row: Row, cell: Cell): string => {
  const ratio = ratioOf(cell);
  if (!Number.isFinite(ratio)) return "–";
  return row.goal?.kind === "ratio-least" && row.goal.value <= 1 ? percent(ratio) : times(ratio);
};

export const MET = "met";
export const NO_GOAL = "–";

export function verdict({ goal, cells }: Row): string {
  if (!goal) return NO_GOAL;
  const missed = cells.filter((cell) => !meets(goal, cell));
  if (missed.length === 0) return MET;
  return missed.length === cells.length ? "**MISSED**" : `**MISSED** at ${defined(missed[0]).connections}`;
}

/** How far the rounds lay apart, of svc, as ± of the median. */
const spread = ({ ours }: Cell): string => `±${Math.round((50 * (ours.high - ours.low)) / ours.value)} %`;

export const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const both = (cells: readonly Cell[], text: (cell: Cell) => string): string => cells.map(text).join(" / ");
const at = (row: Row, connections: number): Cell | undefined =>
  row.cells.find((cell) => cell.connections === connections);
const cpuText = ({ limit, ours }: Cell): string =>
  limit.cpu === undefined || ours.cpu === undefined ? "–" : `${shown(limit.cpu)} / ${shown(ours.cpu)}`;

/** 99 of 100 requests at the most connections, and whether that is as wanted. */
function p99Text({ cells, p99Goal }: Row): string {
  const { limit, ours } = defined(cells.at(-1));
  if (limit.p99 === undefined || ours.p99 === undefined) return "–";
  const both = `${shown(limit.p99)} / ${shown(ours.p99)}`;
  if (p99Goal === undefined) return both;
  return `${both}, ≤ ${times(p99Goal)} ${ours.p99 <= p99Goal * limit.p99 ? "met" : "**MISSED**"}`;
}

/** Operations sent over connections, against their limit. */
export function operationTable(rows: readonly Row[]): string {
  const showsCaches = rows.some((row) => row.cached);
  const showsWaits = rows.some((row) => row.cells.some(({ ours }) => ours.p99 !== undefined));
  const lines = rows.map((row) => [
    row.operation,
    both(row.cells, ({ limit }) => shown(limit.value)),
    both(row.cells, ({ ours }) => shown(ours.value)),
    both(row.cells, (cell) => ratioText(row, cell)),
    goalText(row.goal, row.unit),
    verdict(row),
    cpuText(defined(row.cells.at(-1))),
    both(row.cells, spread),
    ...(showsWaits ? [p99Text(row)] : []),
    ...(showsCaches ? [row.cached ? `${percent(row.cached.share)} (${row.cached.cache})` : "–"] : []),
  ]);
  const head = ["operation", "limit 1 / 16", "svc 1 / 16", "svc / limit", "goal", "", "µs CPU limit / svc", "spread"];
  const more = [...(showsWaits ? ["p99 ms limit / svc"] : []), ...(showsCaches ? ["found in the cache"] : [])];
  return table([...head, ...more], lines);
}

/** Lists the baseline and the limit of every operation. */
export const boundTable = (rows: readonly Row[]): string =>
  table(
    ["operation", "limit", "what bounds it"],
    rows.map((row) => [row.operation, row.against, row.bound]),
  );

/** PostgreSQL against its own bare statements, and against svc on SQLite. */
export function postgresTable(rows: readonly Row[], onSqlite: readonly Row[]): string {
  const lines = rows
    .filter((row) => row.unit === "req/s")
    .map((row) => {
      const { share, goal, verdict } = postgresShare(row, onSqlite);
      return [
        row.operation,
        both(row.cells, ({ limit }) => shown(limit.value)),
        both(row.cells, ({ ours }) => shown(ours.value)),
        both(row.cells, (cell) => percent(cell.ours.value / cell.limit.value)),
        share === undefined ? "–" : percent(share),
        `≥ ${percent(goal)}`,
        verdict,
      ];
    });
  return table(
    ["operation", "limit 1 / 16", "svc 1 / 16", "svc / limit", "of svc on SQLite, at 16", "goal", ""],
    lines,
  );
}

/** The goal on PostgreSQL: a share of the figure on SQLite. */
export function postgresShare(row: Row, onSqlite: readonly Row[]) {
  const other = onSqlite.find((one) => one.operation === row.operation);
  const [mine, theirs] = [at(row, 16), other && at(other, 16)];
  const share = mine && theirs ? mine.ours.value / theirs.ours.value : undefined;
  const goal = isWrite(row.operation) ? 0.5 : 0.3;
  return { share, goal, verdict: share === undefined ? NO_GOAL : share >= goal ? MET : "**MISSED**" };
}

const isWrite = (operation: string): boolean => /^(replace|edit|batch|create)/.test(operation);

/** Two processes against one. */
export function processTable(results: readonly Results[]): string {
  const lines = results.flatMap(({ part, rows }) =>
    rows.map((row) => {
      const cell = defined(row.cells[0]);
      return [
        row.operation,
        part.endsWith("postgres") ? "PostgreSQL" : "SQLite",
        shown(cell.limit.value),
        shown(cell.ours.value),
        times(cell.ours.value / cell.limit.value),
        goalText(row.goal, row.unit),
        verdict(row),
        cell.ours.sender === undefined ? "–" : percent(cell.ours.sender),
      ];
    }),
  );
  return table(
    ["reads at 16 connections", "on", "one", "two", "two / one", "goal", "", "sender's share of a core"],
    lines,
  );
}

/** Everything that is not a rate at several numbers of connections. */
export function otherTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cell = defined(row.cells[0]);
    return [
      row.operation,
      row.against,
      shown(cell.limit.value),
      `${shown(cell.ours.value)} ${row.unit}`,
      ratioText(row, cell),
      goalText(row.goal, row.unit),
      verdict(row),
      row.bound,
    ];
  });
  return table(["", "limit", "limit's", "svc", "svc / limit", "goal", "", "what bounds it"], lines);
}

/** The curves of one part with their slopes. */
export function growthTable({ curves }: Results): string {
  const sizes = curves[0]?.points.map(({ x }) => x) ?? [];
  const lines = curves.map(({ operation, points, unit, bound, why }) => {
    const slope = slopeOf(points);
    return [
      `${operation} (${unit})`,
      ...points.map(({ y }) => shown(y)),
      slope.toFixed(2),
      bound === undefined ? "–" : `≤ ${bound}`,
      bound === undefined ? "–" : slope <= bound ? "met" : "**MISSED**",
      why,
    ];
  });
  return table([curves[0]?.over ?? "", ...sizes.map(shown), "slope", "bound", "", "why"], lines);
}
