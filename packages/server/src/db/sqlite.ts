import { setTimeout as sleep } from "node:timers/promises";
import { type Database, DatabaseUnavailable, type Db, type Statement } from "./database.ts";
import { migrate } from "./migrate.ts";
import { kyselyOver, SqliteConnection } from "./sqlite-dialect.ts";
import { runWork } from "./transaction.ts";

const BUSY_LIMIT_MS = 10_000;
/** How many waiting transactions share one commit, and so one flush to disk. */
const GROUP_SIZE = 64;

interface Job {
  readonly work: (tx: Db) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Primary result codes of SQLite: busy, locked, read-only, I/O, corrupt file, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 11, 13, 14]);
const resultCode = (error: unknown): number => {
  const code = (error as { errcode?: number })?.errcode;
  return typeof code === "number" ? code & 0xff : 0;
};
const isBusy = (error: unknown) => resultCode(error) === 5 || resultCode(error) === 6;
const explain = (error: unknown) => (UNAVAILABLE.has(resultCode(error)) ? new DatabaseUnavailable(error) : error);

/** The only writer of this process. Other processes on the same file are waited for without blocking the event loop. */
class Writer {
  readonly #connection: SqliteConnection;
  readonly #kysely: Db;
  readonly #queue: Job[] = [];
  #draining = false;

  constructor(file: string) {
    this.#connection = new SqliteConnection(file, { readOnly: false });
    this.#connection.raw.exec("pragma journal_mode = wal; pragma synchronous = full");
    this.#kysely = kyselyOver(this.#connection);
  }

  run<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#queue.length > 0) await this.#commitGroup();
    this.#draining = false;
  }

  /** One `begin … commit` for the transactions that wait now, each in a savepoint of its own. */
  async #commitGroup(): Promise<void> {
    const done: { job: Job; result: unknown; effects: (() => void)[] }[] = [];
    try {
      await this.#exec("begin immediate");
    } catch (error) {
      for (const job of this.#queue.splice(0)) job.reject(explain(error));
      return;
    }
    for (const job of this.#queue.splice(0, GROUP_SIZE)) {
      const outcome = await this.#runInSavepoint(job);
      if (outcome) done.push({ job, ...outcome });
    }
    try {
      await this.#exec("commit");
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec("rollback");
      for (const { job } of done) job.reject(explain(error));
      return;
    }
    for (const { job, result, effects } of done) {
      for (const effect of effects) effect();
      job.resolve(result);
    }
  }

  async #runInSavepoint(job: Job): Promise<{ result: unknown; effects: (() => void)[] } | undefined> {
    try {
      this.#connection.raw.exec("savepoint job");
      const outcome = await runWork(this.#kysely.withTables(), job.work);
      this.#connection.raw.exec("release job");
      return outcome;
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec("rollback to job; release job");
      job.reject(explain(error));
      return undefined;
    }
  }

  async #exec(sql: string): Promise<void> {
    const deadline = Date.now() + BUSY_LIMIT_MS;
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        this.#connection.raw.exec(sql);
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
        await sleep(pause * (0.5 + Math.random()));
      }
    }
  }

  close(): void {
    this.#connection.close();
  }
}

/** Readers for snapshots: each holds a transaction open across awaits, so none is shared. */
class SnapshotReaders {
  readonly #file: string;
  readonly #idle: SqliteConnection[] = [];
  constructor(file: string) {
    this.#file = file;
  }

  async run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? new SqliteConnection(this.#file, { readOnly: true });
    connection.raw.exec("begin");
    try {
      return await work(kyselyOver(connection));
    } finally {
      connection.raw.exec("rollback");
      this.#idle.push(connection);
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.close();
  }
}

export async function openSqlite(file: string): Promise<Database> {
  await migrateFile(file);
  const writer = new Writer(file);
  const reader = new SqliteConnection(file, { readOnly: true });
  const snapshots = new SnapshotReaders(file);
  return {
    read: kyselyOver(reader),
    transaction: (work) => writer.run(work),
    snapshot: (work) => snapshots.run(work),
    statement: <Row>(sql: string): Statement<Row> => {
      return async (...parameters) => reader.prepare(sql).statement.all(...parameters) as Row[];
    },
    close: async () => {
      writer.close();
      reader.close();
      snapshots.close();
    },
  };
}

/** On a connection of its own that waits for other processes doing the same. */
async function migrateFile(file: string): Promise<void> {
  const connection = new SqliteConnection(file, { readOnly: false });
  connection.raw.exec("pragma busy_timeout = 30000; pragma journal_mode = wal");
  try {
    await migrate(kyselyOver(connection), {
      integer: "integer",
      bytes: "blob",
      identity: (column) => column.primaryKey().autoIncrement(),
      keepInRow: async () => undefined,
    });
  } finally {
    connection.close();
  }
}
