import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { StatementDialect, TxStatementRunner } from "../statement/runner.ts";
import { toDatabaseError } from "./errors.ts";

const MAX_STATEMENTS = 1000;
/**
 * SQLite's own page cache. The operating system caches the pages too, and reading one from there takes a microsecond or
 * two.
 */
const CACHE_KIB = 4096;

type Parameter = null | number | bigint | string | Uint8Array;
const bind = (value: unknown): Parameter =>
  value === undefined ? null : typeof value === "boolean" ? Number(value) : (value as Parameter);

const isBound = (value: unknown): value is Parameter => value !== undefined && typeof value !== "boolean";
/** Few lists contain a value to convert, and some are hundreds long. */
const bindAll = (values: readonly unknown[]): readonly Parameter[] =>
  values.every(isBound) ? values : values.map(bind);

/** A prepared statement and its row builder; undefined if it returns no rows. */
interface Kept {
  readonly statement: StatementSync;
  readonly rowOf: ((values: readonly unknown[]) => unknown) | undefined;
}

/**
 * node:sqlite's own row objects are slow dictionaries. Building all rows of a statement from one literal gives them one
 * shape and halves the time to read a page of rows.
 */
function rowMaker(names: readonly string[]): Kept["rowOf"] {
  if (names.length === 0) return undefined;
  const members = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${members.join(", ")} }`) as Kept["rowOf"];
}

/**
 * One SQLite connection with its prepared statements. node:sqlite answers synchronously, so a query is never half done.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, Kept>();

  constructor(file: string, { readOnly, cacheKib = CACHE_KIB }: { readOnly: boolean; cacheKib?: number }) {
    this.raw = new DatabaseSync(file, { readOnly, timeout: readOnly ? 1000 : 50 });
    this.raw.exec(`pragma foreign_keys = on; pragma cache_size = -${cacheKib}; pragma temp_store = memory`);
  }

  #prepare(sql: string): Kept {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.raw.prepare(sql);
    statement.setReturnArrays(true);
    const kept = { statement, rowOf: rowMaker(statement.columns().map((column) => column.name)) };
    this.#statements.set(sql, kept);
    return kept;
  }

  /** Runs a statement at once and returns its rows, or none. */
  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    try {
      const { statement, rowOf } = this.#prepare(sql);
      const bound = bindAll(parameters);
      if (!rowOf) return { rows: [], numAffectedRows: BigInt(statement.run(...bound).changes) };
      const found = statement.all(...bound) as unknown as (readonly unknown[])[];
      return { rows: found.map(rowOf) as Row[] };
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(query.sql, query.parameters);
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    // Not the cached statement, because another request may run the same text while this one is read row by row.
    const statement = this.raw.prepare(query.sql);
    for (const row of statement.iterate(...query.parameters.map(bind))) yield { rows: [row as Row] };
  }

  close(): void {
    this.#statements.clear();
    this.raw.close();
  }
}

const run = (connection: DatabaseConnection, sql: string) => {
  (connection as SqliteConnection).raw.exec(sql);
  return Promise.resolve();
};

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }
  async init() {}
  async acquireConnection() {
    return this.#connection;
  }
  beginTransaction = (connection: DatabaseConnection) => run(connection, "begin immediate");
  commitTransaction = (connection: DatabaseConnection) => run(connection, "commit");
  rollbackTransaction = (connection: DatabaseConnection) => run(connection, "rollback");
  async releaseConnection() {}
  async destroy() {}
}

/**
 * Kysely assumes that SQLite cannot roll back a schema change. It can, and a failed migration must leave nothing
 * behind.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * SQLite reads a limit parameter while planning and plans again each time one is bound: 40 instead of 4 microseconds
 * for a small statement. It does not look into a sum.
 */
class PreparableCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append("limit (");
    this.visitNode(limit);
    this.append(" + 0)");
  }
}

const dialectOf = (connection: SqliteConnection): Dialect => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createDriver: () => new SqliteDriver(connection),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new PreparableCompiler(),
});

export const kyselyOver = (connection: SqliteConnection): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: dialectOf(connection) });

/** A transaction has the whole file to itself, so rows need no locks. */
const sqliteStatements: StatementDialect = {
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new PreparableCompiler(),
    },
  }),
  mark: () => "?",
  textToSend: (column) => sql`cast(${sql.ref(column)} as blob)`,
  hasOneWriter: true,
  lockRows: (query) => query,
  claimRows: (query) => query,
};

/** Statements answer synchronously, so sending them together gains nothing. */
export function statementsOver(connection: SqliteConnection): TxStatementRunner {
  const run = (sql: string, parameters: unknown[]) => connection.run(sql, parameters).rows;
  const enqueueForRows = (sql: string, parameters: unknown[]) => {
    try {
      const rows = run(sql, parameters);
      return async () => rows;
    } catch (error) {
      return async () => {
        throw error;
      };
    }
  };
  return { dialect: sqliteStatements, run, runShared: run, runBatched: run, enqueue: run, enqueueForRows };
}
