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
  connectionOf,
  dialectOf,
  type PostgresConnection,
  postgresStatements,
  SESSION_SETTINGS,
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
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: maxConnections,
    connectionTimeoutMillis: waitMs,
  });
  // A connection that breaks during a query fails that query; without a listener it would also end the process.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    client.query(SESSION_SETTINGS).catch(() => undefined);
  });
  pool.on("error", (error) => log.warn({ code: codeOf(error) }, "an idle PostgreSQL connection was lost"));
  const source = { take: () => take(pool), giveBack: (connection: PostgresConnection) => connection.release() };
  const kysely = new Kysely<Tables>({ dialect: dialectOf(source) });
  const run = (text: string, values: unknown[]) => runOn(pool, text, values);
  const writer = new PostgresWriter(source.take, signals, waitMs);
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
    transaction: (work, options = {}) => writer.run(work, options),
    snapshot: (work) => onSnapshot(pool, work),
    tables: () => kysely.introspection.getTables(),
    close: () => pool.end(),
  };
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
