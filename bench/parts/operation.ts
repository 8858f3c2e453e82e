import { defined } from "@svc/document/defined";
import { Api } from "../harness/api.ts";
import { type Comparison, compare, type Effort, type Side } from "../harness/compare.ts";
import type { Requests, Target } from "../harness/drive.ts";
import type { Cell, Figure, Goal } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import type { Stand } from "../harness/stand.ts";

/** One or more lines of the table that are measured together. */
export interface Task {
  readonly part: string;
  readonly operations: readonly string[];
  readonly measure: (run: Run, stand: Stand) => Promise<void>;
}

/** How often a cache had what was asked of it, since the server's start. */
interface LookUps {
  readonly cache: string;
  readonly hits: number;
  readonly misses: number;
}

/** From the server's own figures; none where it has no such cache. */
async function lookUps({ address }: Target, cache: string): Promise<LookUps | undefined> {
  const text = await new Api(address).text("GET", "/metrics");
  const figure = (name: string) =>
    new RegExp(`^svc_cache_${name}_total\\{[^}]*cache="${cache}"\\} (\\d+)`, "m").exec(text)?.[1];
  const [hits, misses] = [figure("hits"), figure("misses")];
  return hits === undefined || misses === undefined ? undefined : { cache, hits: Number(hits), misses: Number(misses) };
}

/** Hits as a share of all look-ups between two moments. */
function shareOf(before: LookUps, after: LookUps | undefined): { share: number; cache: string } | undefined {
  if (!after) return undefined;
  const hits = after.hits - before.hits;
  const all = hits + after.misses - before.misses;
  return all > 0 ? { share: hits / all, cache: before.cache } : undefined;
}

export interface Sides {
  readonly limit: Side;
  readonly ours: Side;
}

/** One line of the table: what is asked of svc and of its limit, and what is wanted. */
export interface Operation {
  readonly name: string;
  /** The limit in words. */
  readonly against: string;
  /** `save` takes many milliseconds, and has much code to be compiled; `slow` takes still longer. */
  readonly kind: "read" | "write" | "save" | "slow";
  /** The cache that the answer comes from when it is asked for again: its hit rate is shown. */
  readonly cache?: string;
  /** The goal for the ratio to the limit on SQLite; on PostgreSQL the share of the SQLite figure counts. */
  readonly goal?: Goal;
  /** How many times as long as those of the limit 99 of 100 requests may take. */
  readonly p99Goal?: number;
  /** True when the limit is another operation of svc: the goal then holds on both databases. */
  readonly isOwnLimit?: boolean;
  /** The reason why svc does not reach the limit. */
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

/** `ms` of a turn, `times` as many turns as there are rounds, and the warm-up in requests and in time. */
interface EffortOf {
  readonly ms: number;
  readonly times: number;
  readonly warmUp: number;
  readonly warmUpMs?: number;
}

/** An edit takes a third less time when its code has been compiled for good, which takes thousands of them. */
const efforts: Readonly<Record<Operation["kind"], EffortOf>> = {
  // Short turns, that many times as many: a neighbour on the machine then disturbs both sides alike.
  read: { ms: 100, times: 3, warmUp: 12_000 },
  write: { ms: 400, times: 1, warmUp: 3000 },
  save: { ms: 1200, times: 1, warmUp: 2000, warmUpMs: 10_000 },
  slow: { ms: 600, times: 1, warmUp: 60 },
};

/** At most, so that the whole run stays short. */
const POSTGRES_ROUNDS = 3;

export const CONNECTIONS = [1, 16] as const;

/** How long and how often an operation is measured. */
export function effortOf(run: Run, { kind }: Operation, { store }: Stand): Effort {
  const { ms, times, warmUp, warmUpMs } = efforts[kind];
  const effort = run.effort(ms, warmUp, warmUpMs);
  const rounds = store.kind === "postgres" ? Math.min(POSTGRES_ROUNDS, effort.rounds) : effort.rounds;
  return { ...effort, rounds: rounds * times };
}

export async function measure(run: Run, part: string, operation: Operation, stand: Stand): Promise<void> {
  const { name, against, bound } = operation;
  const { limit, ours } = await operation.prepare(stand);
  const before = operation.cache ? await lookUps(ours.target, operation.cache) : undefined;
  const found = await compare(limit, ours, CONNECTIONS, effortOf(run, operation, stand));
  const cached = before && shareOf(before, await lookUps(ours.target, before.cache));
  const row = { part, operation: name, against, unit: "req/s", cells: found.map(cellOf), bound };
  const { p99Goal } = operation;
  const wanted = { ...goalOn(stand.store.kind, part, operation), ...(p99Goal && { p99Goal }) };
  run.row({ ...row, ...wanted, ...(cached && { cached }) });
  stand.svc.clearLog();
}

/** For text that people wrote, half of the goal counts on PostgreSQL. */
function goalOn(kind: Stand["store"]["kind"], part: string, { goal, isOwnLimit }: Operation): { goal?: Goal } {
  if (!goal || kind === "sqlite" || isOwnLimit) return goal ? { goal } : {};
  return part.startsWith("real-") ? { goal: { ...goal, value: goal.value / 2 } } : {};
}

export const cellOf = ({ connections, limit, ours }: Comparison): Cell => ({
  connections,
  limit: figureOf(limit),
  ours: figureOf(ours),
});

const figureOf = ({ rate, ...others }: Comparison["limit"]): Figure => ({ value: rate, ...others });

export const side = (target: Target, requests: Requests): Side => ({ target, requests });
