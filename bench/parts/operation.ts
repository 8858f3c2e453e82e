import { defined } from "@svc/document/defined";
import { type Comparison, compare, type Effort, type Side } from "../harness/compare.ts";
import type { Requests, Target } from "../harness/drive.ts";
import type { Cell, Figure, Goal } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";

export interface Sides {
  readonly limit: Side;
  readonly ours: Side;
}

/** One line of the table: what is asked of svc and of its limit, and what is wanted. */
export interface Operation {
  readonly name: string;
  /** The limit in words. */
  readonly against: string;
  /** `slow` takes many milliseconds. */
  readonly kind: "read" | "write" | "slow";
  /** Of the ratio to the limit, on SQLite; on PostgreSQL what counts is the share of the SQLite figure. */
  readonly goal?: Goal;
  /** True when the limit is another operation of svc: the goal then holds on both databases. */
  readonly isOwnLimit?: boolean;
  /** What keeps svc from the limit. */
  readonly bound: string;
  readonly prepare: (stand: Stand) => Sides | Promise<Sides>;
}

export const least = (value: number): Goal => ({ kind: "ratio-least", value });
export const most = (value: number): Goal => ({ kind: "ratio-most", value });

/** Goes round a list of ready requests. */
export const round =
  (requests: readonly Buffer[]): Requests =>
  (index) =>
    defined(requests[index % requests.length]);

/** An edit takes a third less time when its code has been compiled for good, which takes thousands of them. */
const efforts = {
  // Short turns, that many times as many: a neighbour on the machine then disturbs both sides alike.
  read: { ms: 100, times: 3, warmUp: 12_000 },
  write: { ms: 400, times: 1, warmUp: 3000 },
  slow: { ms: 600, times: 1, warmUp: 60 },
};

/** At most, so that the whole run stays short. */
const POSTGRES_ROUNDS = 3;

export const CONNECTIONS = [1, 16] as const;

/** How long and how often an operation is measured. */
export function effortOf(run: Run, { kind }: Operation, { store }: Stand): Effort {
  const { ms, times, warmUp } = efforts[kind];
  const effort = run.effort(ms, warmUp);
  const rounds = store.kind === "postgres" ? Math.min(POSTGRES_ROUNDS, effort.rounds) : effort.rounds;
  return { ...effort, rounds: rounds * times };
}

export async function measure(run: Run, part: string, operation: Operation, stand: Stand): Promise<void> {
  const { name, against, goal, isOwnLimit, bound } = operation;
  const { limit, ours } = await operation.prepare(stand);
  const found = await compare(limit, ours, CONNECTIONS, effortOf(run, operation, stand));
  const counts = goal && (stand.store.kind === "sqlite" || isOwnLimit);
  run.row({ part, operation: name, against, unit: "req/s", cells: found.map(cellOf), ...(counts && { goal }), bound });
  stand.svc.clearLog();
}

export const cellOf = ({ connections, limit, ours }: Comparison): Cell => ({
  connections,
  limit: figureOf(limit),
  ours: figureOf(ours),
});

const figureOf = ({ rate, low, high, cpu, sender }: Comparison["limit"]): Figure => ({
  value: rate,
  low,
  high,
  cpu,
  sender,
});

export const side = (target: Target, requests: Requests): Side => ({ target, requests });
