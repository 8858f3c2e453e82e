import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import { DatabaseUnavailable, type Db, type Store } from "./database.ts";
import { type Ask, gathered, runOnceForAll } from "./gathered.ts";
import { bindLookup, type Lookup, type LookupText, nameOf } from "./lookup.ts";
import { migrate } from "./migrate.ts";
import { bindReady } from "./prepared.ts";
import type { Tables } from "./tables.ts";
import { runWork } from "./transaction.ts";

/** More than there are connections, so that each may turn out to hold statements of an older schema. */
const MAX_ATTEMPTS = 20;
const MAX_STATEMENTS = 1000;
const MAX_CONNECTIONS = 16;

/** int8 as a number: our integers are times, counts and ids below 2^53. */
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? "");
const isConflict = (error: unknown) => codeOf(error) === "40001" || codeOf(error) === "40P01" || isStale(error);
/** A prepared statement of before a migration, or one that a connection pooler has lost: gone with its connection. */
const isStale = (error: unknown) =>
  codeOf(error) === "26000" || (codeOf(error) === "0A000" && /cached plan/.test((error as Error).message));
/** Connection lost or refused, server shutting down or starting, out of connections, disk or memory, waited too long. */
const isUnavailable = (error: unknown) =>
  /^(08|53|57|58|55P03)|^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)|^25006$/.test(codeOf(error)) ||
  /connection (terminated|ended)|not queryable|timeout exceeded/i.test(
    error instanceof Error && codeOf(error) === "" ? error.message : "",
  );
const explain = (error: unknown) => (isUnavailable(error) ? new DatabaseUnavailable(error) : error);

/** Names for prepared statements, so that PostgreSQL plans each query text once per connection. */
class StatementNames {
  readonly #names = new Map<string, string>();
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_STATEMENTS) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

const connectTo = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error) => {
    throw explain(error);
  });

const prepares = /^\s*(select|insert|update|delete|with)\b/i;

function preparing(pool: pg.Pool, names: StatementNames): PostgresPool {
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    let stale = false;
    return {
      query: (async (text: string, values: readonly unknown[]) => {
        const name = prepares.test(text) ? names.of(text) : undefined;
        return client.query({ ...(name && { name }), text, values: values as unknown[] }).catch((error) => {
          stale ||= isStale(error);
          throw explain(error);
        });
      }) as unknown as PostgresPoolClient["query"],
      release: () => client.release(stale),
    };
  };
  return {
    connect: async () => wrap(await connectTo(pool)),
    end: () => pool.end(),
  };
}

/**
 * Asks for the rows of many keys at once. Each list of keys is a query of its own, so that the planner does not look into
 * it: it would plan anew for every length, which takes longer than the look-up.
 */
function askFor<Row>(
  { select, from, key }: LookupText,
  run: (text: string, values: unknown[]) => Promise<unknown[]>,
): Ask<Row> {
  const asked = key.map((_, i) => `key${i}`);
  const lists = key.map((_, i) => `(select $${i + 1}::text[])`);
  const on = key.map((column, i) => `${column} = asked.key${i}`);
  const text = `select ${select} from ${from} join unnest(${lists}) as asked (${asked}) on ${on.join(" and ")}`;
  const names = key.map((column) => column.slice(column.indexOf(".") + 1));
  return async (keys) => {
    const rows = (await run(
      text,
      key.map((_, i) => keys.map((one) => one[i])),
    )) as Record<string, string>[];
    return new Map(rows.map((row) => [nameOf(names.map((name) => row[name]!)), row as Row]));
  };
}

export async function openPostgres(
  url: string,
  log: { warn(details: object, message: string): void },
  maxConnections = MAX_CONNECTIONS,
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 60_000,
  });
  // A connection that breaks while a query waits fails that query; without a listener it would end the process too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", (error) => log.warn({ code: codeOf(error) }, "an idle PostgreSQL connection was lost"));
  const names = new StatementNames();
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool, names) }) });
  await migrate(kysely, {
    integer: "bigint",
    bytes: "bytea",
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    keepInRow: async (schema, table, column) => {
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage plain`.execute(schema);
    },
  });
  const run = (text: string, values: unknown[]) => runOn(pool, { name: names.of(text), text, values });
  const lookup: Lookup = (text) => gathered(askFor(text, run));
  bindLookup(kysely, lookup);
  bindReady(kysely, { run, runShared: runOnceForAll(run) });
  return {
    read: kysely,
    transaction: (work) => retried(() => once(kysely, work)),
    snapshot: (work) =>
      kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    lookup,
    close: () => kysely.destroy(),
  };
}

/** One query on any connection; on a fresh one when the statement prepared there is of an older schema. */
async function runOn(pool: pg.Pool, query: pg.QueryConfig): Promise<unknown[]> {
  for (let tries = 1; ; tries++) {
    const client = await connectTo(pool);
    let stale = false;
    try {
      return (await client.query(query)).rows;
    } catch (error) {
      stale = isStale(error);
      if (!stale || tries > MAX_CONNECTIONS) throw explain(error);
    } finally {
      client.release(stale);
    }
  }
}

async function once<T>(kysely: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const { result, effects } = await kysely.transaction().execute((tx) => runWork(tx, work));
  for (const effect of effects) effect();
  return result;
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (tries === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
      await sleep(Math.random() * 5 * 2 ** Math.min(tries, 7));
    }
  }
}
