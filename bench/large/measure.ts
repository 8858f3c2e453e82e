import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findBinaries } from "../../packages/server/test/support/postgres.ts";
import { Api } from "../harness/api.ts";
import { Connection } from "../harness/connection.ts";
import { type Running, runCommand, SVC_SERVER, startServer } from "../harness/processes.ts";
import { processorTotal, proportionalMemory, residentMemory } from "../harness/processor.ts";
import { median, percentile } from "../harness/statistics.ts";
import { type Operation, operations, type Sample, takeSample } from "./operations.ts";
import { headersOf, type LargeStore, type LoadPoint, type Place } from "./place.ts";

/** One operation on one store. */
export interface Cost {
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds of processor for each request: of the service and of PostgreSQL. */
  readonly service: number;
  readonly database: number;
}

/** The same of both stores. */
interface Pair<T> {
  readonly small: T;
  readonly large: T;
}

export interface LargeResults {
  readonly kind: string;
  readonly documents: Pair<number>;
  readonly points: readonly LoadPoint[];
  readonly costs: Readonly<Record<string, Pair<Cost>>>;
  /** Seconds from the start of the process until it listens, and of the first search of it. */
  readonly start: Pair<{ readonly ready: number; readonly firstSearch: number }>;
  readonly backup: Pair<{ readonly seconds: number; readonly megabytes: number }>;
  /** Resident MB of the service after all of this; of PostgreSQL with shared pages counted once, for both stores. */
  readonly memory: Pair<number> & { readonly database: number };
  readonly bytes: Pair<number>;
  readonly tables: readonly Table[];
}

/** A table of the large store with its parts, in bytes. */
interface Table {
  readonly name: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
  /** What is stored beside it because it is long. */
  readonly toast: number;
  readonly largestIndex: string;
}

interface Side {
  readonly store: LargeStore;
  svc: Running;
  readonly sample: Sample;
}

const ROUNDS = Number(process.env.ROUNDS ?? 5);

export async function measure(place: Place, small: LargeStore, large: LargeStore, say: (line: string) => void) {
  const sides = { small: await openSide(small), large: await openSide(large) };
  const both = async <T>(work: (side: Side) => Promise<T>): Promise<Pair<T>> => ({
    small: await work(sides.small),
    large: await work(sides.large),
  });
  try {
    const costs: Record<string, Pair<Cost>> = {};
    for (const operation of operations) {
      const found = await inTurns(place, operation, sides);
      costs[operation.name] = found;
      say(`${operation.name}: p50 ${found.small.p50.toFixed(1)} and ${found.large.p50.toFixed(1)} ms`);
    }
    const memory = {
      small: residentMemory(sides.small.svc.pid),
      large: residentMemory(sides.large.svc.pid),
      database: place.postgres ? proportionalMemory(place.postgres.pid) : 0,
    };
    const start = await both(timeStart);
    say(`start: ${start.small.ready.toFixed(2)} and ${start.large.ready.toFixed(2)} s`);
    const backup = await both(({ store }) => backUp(place, store));
    say(`backup: ${backup.small.seconds.toFixed(1)} and ${backup.large.seconds.toFixed(1)} s`);
    const results: LargeResults = {
      kind: place.kind,
      documents: { small: small.known.documents, large: large.known.documents },
      points: large.known.points,
      costs,
      start,
      backup,
      memory,
      bytes: await both(({ store }) => bytesOf(place, store)),
      tables: place.kind === "postgres" ? await tablesOf(large) : [],
    };
    return results;
  } finally {
    await sides.small.svc.stop();
    await sides.large.svc.stop();
  }
}

async function openSide(store: LargeStore): Promise<Side> {
  const svc = await startServer(SVC_SERVER, store.settings);
  return { store, svc, sample: await takeSample(store, new Api(svc.address, headersOf(store))) };
}

/** Both stores in turns, one request at a time; the first round warms up and does not count. */
async function inTurns(place: Place, operation: Operation, sides: Pair<Side>): Promise<Pair<Cost>> {
  const rounds: Pair<Round[]> = { small: [], large: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of round % 2 ? (["large", "small"] as const) : (["small", "large"] as const)) {
      const done = await runRound(place, operation, sides[name]);
      if (round > 0) rounds[name].push(done);
    }
  return { small: costOf(rounds.small), large: costOf(rounds.large) };
}

interface Round {
  readonly waits: readonly number[];
  readonly service: number;
  readonly database: number;
}

async function runRound(place: Place, { count, call }: Operation, { store, svc, sample }: Side): Promise<Round> {
  const api = new Api(svc.address, headersOf(store));
  const connection = await Connection.open(svc.address);
  const total = () => ({
    service: processorTotal(svc.pid),
    database: place.postgres ? processorTotal(place.postgres.pid) : 0,
  });
  const before = total();
  const waits: number[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const asked = call(sample, i);
      const bytes = api.bytes(asked);
      const began = performance.now();
      const { status, body } = await connection.ask(bytes);
      waits.push(performance.now() - began);
      if (status >= 400) throw new Error(`${asked.method} ${asked.path}: ${status} ${body.toString().slice(0, 300)}`);
    }
  } finally {
    connection.close();
  }
  const after = total();
  svc.clearLog();
  const each = (now: number, then: number) => Math.max(0, now - then) / 1000 / count;
  return {
    waits,
    service: each(after.service, before.service),
    database: each(after.database, before.database),
  };
}

function costOf(rounds: readonly Round[]): Cost {
  const waits = rounds.flatMap((round) => round.waits);
  return {
    p50: percentile(waits, 0.5),
    p95: percentile(waits, 0.95),
    service: mean(rounds.map(({ service }) => service)),
    database: mean(rounds.map(({ database }) => database)),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Stops and starts the service of a store, three times. */
async function timeStart(side: Side): Promise<{ ready: number; firstSearch: number }> {
  const times: { ready: number; firstSearch: number }[] = [];
  for (let i = 0; i < 3; i++) {
    await side.svc.stop();
    const began = performance.now();
    side.svc = await startServer(SVC_SERVER, side.store.settings);
    const ready = performance.now() - began;
    const api = new Api(side.svc.address, headersOf(side.store));
    const asked = performance.now();
    await api.data("GET", "/api/v1/search/v2?q=ba&limit=10");
    times.push({ ready: ready / 1000, firstSearch: (performance.now() - asked) / 1000 });
  }
  return { ready: median(times.map(({ ready }) => ready)), firstSearch: median(times.map((one) => one.firstSearch)) };
}

/** As the README says: `pg_dump`, or `svc backup` on SQLite. */
async function backUp(place: Place, { name, settings }: LargeStore): Promise<{ seconds: number; megabytes: number }> {
  const folder = join(place.folder, "backup");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.dump`);
  const began = performance.now();
  if (settings.SVC_DATABASE_URL)
    execFileSync(join(findBinaries(), "pg_dump"), ["--format=custom", `--file=${file}`, settings.SVC_DATABASE_URL]);
  else await runCommand(settings, "backup", file);
  const seconds = (performance.now() - began) / 1000;
  const megabytes = statSync(file).size / 1e6;
  rmSync(folder, { recursive: true });
  return { seconds, megabytes };
}

async function bytesOf(place: Place, store: LargeStore): Promise<number> {
  if (place.kind === "postgres") {
    const [row] = await store.query("select pg_database_size(current_database()) as bytes");
    return Number(row?.bytes);
  }
  const directory = join(place.folder, store.name);
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

async function tablesOf(store: LargeStore): Promise<Table[]> {
  const rows = await store.query(`
    select c.relname as name, c.reltuples as rows, pg_relation_size(c.oid) as heap, pg_indexes_size(c.oid) as indexes,
      coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0) as toast,
      (select i.relname || ' ' || pg_size_pretty(pg_relation_size(i.oid)) from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid order by pg_relation_size(i.oid) desc limit 1) as index
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by pg_total_relation_size(c.oid) desc limit 12`);
  return rows.map((row) => ({
    name: String(row.name),
    rows: Number(row.rows),
    heap: Number(row.heap),
    indexes: Number(row.indexes),
    toast: Number(row.toast),
    largestIndex: String(row.index),
  }));
}
