import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import { type Database, DatabaseUnavailable, type Db, type Statement } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Tables } from "./tables.ts";
import { runWork } from "./transaction.ts";

const MAX_ATTEMPTS = 8;
const MAX_STATEMENTS = 1000;

/** int8 as a number: our integers are times, counts and ids below 2^53. */
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? "");
const isConflict = (error: unknown) => codeOf(error) === "40001" || codeOf(error) === "40P01";
/** Connection lost or refused, server shutting down or starting, out of connections, disk or memory. */
const isUnavailable = (error: unknown) =>
  /^(08|53|57P|58)|^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)|^25006$/.test(codeOf(error)) ||
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

const prepares = /^\s*(select|insert|update|delete|with)\b/i;

function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: (async (text: string, values: readonly unknown[]) => {
      const name = prepares.test(text) ? names.of(text) : undefined;
      return client.query({ ...(name && { name }), text, values: values as unknown[] }).catch((error) => {
        throw explain(error);
      });
    }) as unknown as PostgresPoolClient["query"],
    release: () => client.release(),
  });
  return {
    connect: async () => {
      const client = await pool.connect().catch((error) => {
        throw explain(error);
      });
      return wrap(client);
    },
    end: () => pool.end(),
  };
}

/** `?` outside of quotes becomes `$1`, `$2`, … */
const numbered = (text: string): string => {
  let n = 0;
  return text.replace(/'[^']*'|\?/g, (part) => (part === "?" ? `$${++n}` : part));
};

export async function openPostgres(
  url: string,
  log: { warn(details: object, message: string): void },
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 5000,
    statement_timeout: 60_000,
  });
  pool.on("error", (error) => log.warn({ code: codeOf(error) }, "an idle PostgreSQL connection was lost"));
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  const statementNames = new StatementNames();
  await migrate(kysely, {
    integer: "bigint",
    bytes: "bytea",
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    keepInRow: async (schema, table, column) => {
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage plain`.execute(schema);
    },
  });
  return {
    read: kysely,
    transaction: (work) => retried(() => once(kysely, work)),
    snapshot: (work) =>
      kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    statement: <Row>(text: string): Statement<Row> => {
      const query = { text: numbered(text), name: `h${statementNames.of(text)}` };
      return async (...values) => {
        try {
          return (await pool.query({ ...query, values })).rows as Row[];
        } catch (error) {
          throw explain(error);
        }
      };
    },
    close: () => kysely.destroy(),
  };
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
      await sleep(Math.random() * 5 * 2 ** tries);
    }
  }
}
