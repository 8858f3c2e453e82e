import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, type as systemType, totalmem } from "node:os";
import { join } from "node:path";
import { median } from "./statistics.ts";

/** One measured number: the median of the rounds, and the least and the most. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Microseconds of the server's processor per request, where requests were sent. */
  readonly cpu?: number;
  /** Share of one core that the sender took. */
  readonly sender?: number;
  /** Milliseconds that 99 of 100 requests took at most. */
  readonly p99?: number;
}

/** The middle of several rounds and its spread. */
export const figureOf = (values: readonly number[]): Figure => ({
  value: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** The limit and svc under the same conditions. */
export interface Cell {
  /** Connections at once; none where nothing is sent over connections. */
  readonly connections?: number;
  readonly limit: Figure;
  readonly ours: Figure;
}

/** The goal for `ours / limit`, or (`most`, `least`) for `ours` itself. */
export type Goal =
  | { readonly kind: "ratio-least"; readonly value: number }
  | { readonly kind: "ratio-most"; readonly value: number }
  | { readonly kind: "most" | "least"; readonly value: number };

export interface Row {
  readonly part: string;
  readonly operation: string;
  /** The baseline of the comparison. */
  readonly against: string;
  /** The unit of the figures: `req/s`, `ms`, `MB`, … */
  readonly unit: string;
  readonly cells: readonly Cell[];
  readonly goal?: Goal;
  /** How many times as long as those of the limit 99 of 100 requests may take at most connections. */
  readonly p99Goal?: number;
  /** The reason why the number is not better. */
  readonly bound: string;
  /** Share of the answers' look-ups that a cache had, and how the cache is called. */
  readonly cached?: { readonly share: number; readonly cache: string };
}

/** The curve of one operation's cost. */
export interface Curve {
  readonly part: string;
  readonly operation: string;
  /** Names the quantity that grows and the one that is counted. */
  readonly over: string;
  readonly unit: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The steepest slope in log-log that is right; none for a curve that is only shown beside. */
  readonly bound?: number;
  /** Why it may grow as it does. */
  readonly why: string;
}

interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

export interface Results {
  readonly part: string;
  readonly machine: Machine;
  /** Commit and UTC day of the newest row. */
  readonly commit: string;
  readonly day: string;
  readonly rows: readonly Row[];
  readonly curves: readonly Curve[];
}

const machine = (): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${systemType()} ${release().replace(/-.*/, "")}`,
  node: process.version,
});

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

/** Result files, one for each part, rewritten after each operation so that a run can be resumed. */
export class ResultFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  load(part: string): Results | undefined {
    const file = this.#fileOf(part);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  }

  all(): Results[] {
    const names = readdirSync(this.directory).filter((name) => name.endsWith(".json"));
    return names.sort().map((name): Results => JSON.parse(readFileSync(join(this.directory, name), "utf8")));
  }

  /** Adds a row or a curve, in place of an earlier one of the same operation. */
  add(given: { readonly row: Row } | { readonly curve: Curve }): void {
    const { part, operation } = "row" in given ? given.row : given.curve;
    const before = this.load(part);
    const replaced = <T extends { operation: string }>(list: readonly T[] = [], item?: T): T[] => {
      if (!item) return [...list];
      const known = list.findIndex((other) => other.operation === operation);
      return known < 0 ? [...list, item] : list.with(known, item);
    };
    const results: Results = {
      part,
      machine: machine(),
      commit: commit(),
      day: new Date().toISOString().slice(0, 10),
      rows: replaced(before?.rows, "row" in given ? given.row : undefined),
      curves: replaced(before?.curves, "curve" in given ? given.curve : undefined),
    };
    const file = this.#fileOf(part);
    writeFileSync(`${file}.new`, `${JSON.stringify(results, null, 1)}\n`);
    renameSync(`${file}.new`, file);
  }

  #fileOf(part: string): string {
    return join(this.directory, `${part}.json`);
  }
}

export const ratioOf = ({ limit, ours }: Cell): number => ours.value / limit.value;

/** Whether every cell reaches the goal; nothing where there is no goal. */
export function isMet({ goal, cells }: Row): boolean | undefined {
  if (!goal) return undefined;
  return cells.every((cell) => meets(goal, cell));
}

export function meets({ kind, value }: Goal, cell: Cell): boolean {
  const told = kind.startsWith("ratio") ? ratioOf(cell) : cell.ours.value;
  return kind.endsWith("least") ? told >= value : told <= value;
}
