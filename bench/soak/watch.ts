import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Running } from "../harness/processes.ts";
import { processorTime, residentMemory } from "../harness/processor.ts";
import { median, percentile } from "../harness/statistics.ts";
import type { SoakSite } from "./site.ts";

interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Milliseconds that answers took, by the kind of call, since they were last taken. */
export class Latencies {
  #found = new Map<string, number[]>();

  note(kind: string, ms: number): void {
    const list = this.#found.get(kind) ?? [];
    this.#found.set(kind, list);
    list.push(ms);
  }

  take(): Record<string, Spread> {
    const spreads = [...this.#found].map(([kind, list]): [string, Spread] => [
      kind,
      { count: list.length, p50: percentile(list, 0.5), p95: percentile(list, 0.95), p99: percentile(list, 0.99) },
    ]);
    this.#found = new Map();
    return Object.fromEntries(spreads.sort(([a], [b]) => a.localeCompare(b)));
  }
}

/** Reads the figures of a process; undefined when it was just killed. */
interface Seen {
  readonly pid: number;
  readonly megabytes: number;
  readonly files: number;
  readonly processor: number;
}

interface ProcessFigures {
  /** Medians of what was seen during the window. */
  readonly megabytes: number;
  readonly files: number;
  /** Percent of one core; for a killed process, since its restart. */
  readonly processor: number;
  readonly restarts: number;
}

/** Observations of a few minutes. */
export interface Window {
  readonly minute: number;
  readonly calls: Readonly<Record<string, Spread>>;
  /** A server that does nothing, asked at the same moments: what it waits for is the machine. */
  readonly idle: Spread;
  readonly processes: readonly [ProcessFigures, ProcessFigures];
  /** Connections to PostgreSQL; 0 on SQLite. */
  readonly connections: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Size of the whole store. */
  readonly bytes: number;
  /** Writes so far, and calls without an answer. */
  readonly acknowledged: number;
  readonly unanswered: number;
}

const SAMPLE_MS = 5000;

/** Looks at the processes all the time, and closes a window when it is told to. */
export class Watch {
  readonly #site: SoakSite;
  #seen: [Seen[], Seen[]] = [[], []];
  #isOver = false;

  constructor(site: SoakSite) {
    this.#site = site;
    this.#look();
    void this.#keepLooking();
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Reads the state of processes, tables and connections, and the events since the last window. */
  async close(): Promise<Pick<Window, "processes" | "connections" | "rows" | "bytes">> {
    this.#look();
    const seen = this.#seen;
    // The next window begins at the last observation.
    this.#seen = [seen[0].slice(-1), seen[1].slice(-1)];
    const [first, second] = this.#site.restarts;
    return { processes: [figuresOf(seen[0], first), figuresOf(seen[1], second)], ...(await storeFigures(this.#site)) };
  }

  async #keepLooking(): Promise<void> {
    while (!this.#isOver) {
      await sleep(SAMPLE_MS, undefined, { ref: false });
      this.#look();
    }
  }

  #look(): void {
    for (const which of [0, 1] as const) {
      const found = look(this.#site.processes[which]);
      if (found) this.#seen[which].push(found);
    }
  }
}

function look({ pid }: Running): Seen | undefined {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).length;
    const megabytes = residentMemory(pid);
    // One that has ended and was not waited for yet has no memory.
    return megabytes > 0 ? { pid, megabytes, files, processor: processorTime(pid) } : undefined;
  } catch {
    return undefined;
  }
}

function figuresOf(seen: readonly Seen[], restarts: number): ProcessFigures {
  const spent = seen.reduce((sum, { pid, processor }, i) => {
    const before = seen[i - 1];
    const from = before?.pid === pid ? before.processor : i === 0 ? processor : 0;
    // A thread that has ended takes its time along.
    return sum + Math.max(0, processor - from);
  }, 0);
  const seconds = (Math.max(1, seen.length - 1) * SAMPLE_MS) / 1000;
  return {
    megabytes: median(seen.map((one) => one.megabytes)),
    files: median(seen.map((one) => one.files)),
    processor: spent / 10_000 / seconds,
    restarts,
  };
}

const NAMES = {
  postgres: sql<{ name: string }>`select relname as name from pg_stat_user_tables`,
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
};
const BYTES = {
  postgres: sql<{ n: number }>`select pg_database_size(current_database()) as n`,
  sqlite: sql<{ n: number }>`select page_count * page_size as n from pragma_page_count(), pragma_page_size()`,
};
const CONNECTIONS = {
  postgres: sql<{ n: number }>`select count(*) as n from pg_stat_activity where datname = current_database()`,
  sqlite: sql<{ n: number }>`select 0 as n`,
};

/** Counts the rows of the store. Only a transaction takes a statement as text, so each one is short and its own. */
async function storeFigures({ kind, database }: SoakSite): Promise<Pick<Window, "connections" | "rows" | "bytes">> {
  const ask = async <Row>(statement: RawBuilder<Row>): Promise<Row[]> =>
    (await database.transaction((tx) => statement.execute(tx))).rows;
  const number = async (statement: RawBuilder<{ n: number }>) => Number((await ask(statement))[0]?.n ?? 0);
  const rows: Record<string, number> = {};
  for (const { name } of await ask(NAMES[kind]))
    rows[name] = await number(sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`);
  return { rows, bytes: await number(BYTES[kind]), connections: await number(CONNECTIONS[kind]) };
}
