import { codeOf } from "@svc/document/thrown";
import { Kysely, sql } from "kysely";
import pg from "pg";
import { DatabaseUnavailable, MAX_WAIT_MS, type Reader, type Store } from "../database.ts";
import { migrate } from "../schema/migrate.ts";
import type { ColumnTypes } from "../schema/migration.ts";
import type { Tables } from "../schema/tables.ts";
import { NO_SIGNALS, type Signals } from "../signals.ts";
import { BatchScheduler, batchedLookup, runOnceForAll } from "../statement/batched-lookup.ts";
import { onePerText } from "../statement/lookup.ts";
import { makeReader } from "../transaction/transaction.ts";
import { checkServer } from "./check-server.ts";
import {
  BEGIN,
  connectionOf,
  dialectOf,
  type PostgresConnection,
  postgresStatements,
  sessionSettings,
} from "./connection.ts";
import { isStale } from "./errors.ts";
import { askFor, runTogether } from "./lookup.ts";
import { connectionOptions } from "./servers.ts";
import { PostgresWriter } from "./writer.ts";

const MAX_CONNECTIONS = 16;

interface PostgresOptions {
  readonly maxConnections?: number;
  readonly signals?: Pick<Signals, "announce">;
  readonly waitMs?: number;
}

/** The database cannot answer, whatever prevents a connection (a changed password, a renamed database). */
const take = (pool: pg.Pool): Promise<PostgresConnection> =>
  pool.connect().then(connectionOf, (error) => {
    throw new DatabaseUnavailable(error);
  });

export async function openPostgres(
  url: string,
  log: { warn(details: object, message: string): void },
  { maxConnections = MAX_CONNECTIONS, signals = NO_SIGNALS, waitMs = MAX_WAIT_MS }: PostgresOptions = {},
): Promise<Store> {
  await checkServer(url, waitMs);
  await migrateServer(url, waitMs);
  // Commits that wait for a lost standby hold connections: reads have their own.
  const [readers, writers] = [makePool(maxConnections / 2), makePool(maxConnections / 2)];
  const written = new Set<PostgresConnection>();
  const takeWriter = async () => {
    const connection = await take(writers);
    written.add(connection);
    return connection;
  };
  const source = { take: () => take(readers), giveBack: (connection: PostgresConnection) => connection.release() };
  const kysely = new Kysely<Tables>({ dialect: dialectOf(source) });
  const run = (text: string, values: unknown[]) => runOn(readers, text, values);
  const writer = new PostgresWriter(takeWriter, signals, waitMs);
  const carelessWriter = new PostgresWriter(source.take, signals, waitMs, [
    BEGIN,
    "set local synchronous_commit = off",
  ]);
  const scheduler = new BatchScheduler();
  const together = runTogether(source.take, run);
  const lookup = onePerText((text) => batchedLookup(askFor(text, together), scheduler));
  const statements = {
    dialect: postgresStatements,
    run,
    runShared: runOnceForAll(run),
    runBatched: runOnceForAll(together, scheduler),
  };
  return {
    read: makeReader(kysely, statements, lookup),
    transaction: (work, options = {}) => (options.mayBeLost ? carelessWriter : writer).run(work, options),
    snapshot: (work) => onSnapshot(readers, work),
    tables: () => kysely.introspection.getTables(),
    close: async () => {
      for (const connection of written) connection.abandon();
      await Promise.all([readers.end(), writers.end()]);
    },
  };

  function makePool(max: number): pg.Pool {
    const options = { max: Math.max(1, Math.round(max)), connectionTimeoutMillis: waitMs, keepAlive: true };
    const pool = new pg.Pool({ ...connectionOptions(url), ...options });
    // A connection that breaks during a query fails that query; without a listener it would also end the process.
    pool.on("connect", (client) => {
      client.on("error", () => undefined);
      client.query(sessionSettings(waitMs)).catch(() => undefined);
    });
    pool.on("remove", (client) => written.delete(connectionOf(client as pg.PoolClient)));
    pool.on("error", (error) => log.warn({ code: codeOf(error) }, "an idle PostgreSQL connection was lost"));
    return pool;
  }
}

/** Uses its own connections, which may write without a transaction. */
async function migrateServer(url: string, waitMs: number): Promise<void> {
  const pool = new pg.Pool({ ...connectionOptions(url), max: 2, connectionTimeoutMillis: waitMs });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  const source = { take: () => take(pool), giveBack: (connection: PostgresConnection) => connection.release() };
  try {
    await migrate(new Kysely<Tables>({ dialect: dialectOf(source) }), {
      integer: "bigint",
      bytes: "bytea",
      identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
      keepInRow: async (schema, table, column) => {
        await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage plain`.execute(schema);
      },
      packQuickly,
    });
  } finally {
    await pool.end();
  }
}

/** Uses LZ4 where the server has it: the default compression takes longer than the rest of an insertion. */
const packQuickly: ColumnTypes["packQuickly"] = async (schema, table, columns) => {
  const { rows } =
    await sql`select 1 from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)`.execute(
      schema,
    );
  if (rows.length === 0) return;
  for (const column of columns)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set compression lz4`.execute(schema);
};

/** Runs one query on any connection; on a new one if the prepared statement belongs to an older schema. */
async function runOn(pool: pg.Pool, text: string, values: unknown[]): Promise<unknown[]> {
  for (let tries = 1; ; tries++) {
    const connection = await take(pool);
    try {
      return (await connection.run(text, values)).rows;
    } catch (error) {
      if (!isStale(error) || tries > MAX_CONNECTIONS) throw error;
    } finally {
      connection.release();
    }
  }
}

async function onSnapshot<T>(pool: pg.Pool, work: (db: Reader) => Promise<T>): Promise<T> {
  const connection = await take(pool);
  connection.enqueue("begin isolation level repeatable read, read only");
  try {
    return await work(makeReader(connection.tx.kysely, connection.tx.statements, undefined));
  } finally {
    // Nobody needs to wait for this: the next user of the connection comes after it.
    void connection.rollback();
    connection.release();
  }
}
