import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Db } from "./database.ts";
import { explain } from "./sqlite-errors.ts";
import type { Tables } from "./tables.ts";

const MAX_STATEMENTS = 1000;

type Parameter = null | number | bigint | string | Uint8Array;
const bind = (value: unknown): Parameter =>
  value === undefined ? null : typeof value === "boolean" ? Number(value) : (value as Parameter);

/** One SQLite connection with its prepared statements. node:sqlite answers at once, so a query is never half done. */
export class SqliteConnection implements DatabaseConnection {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  constructor(file: string, options: { readOnly: boolean }) {
    this.raw = new DatabaseSync(file, { readOnly: options.readOnly, timeout: options.readOnly ? 1000 : 50 });
    this.raw.exec("pragma foreign_keys = on; pragma cache_size = -65536; pragma temp_store = memory");
  }

  prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.raw.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { statement, returnsRows } = this.prepare(query.sql);
      const parameters = query.parameters.map(bind);
      if (returnsRows) return { rows: statement.all(...parameters) as Row[] };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw explain(error);
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    // Not the kept statement: another request may run the same text while this one is read row by row.
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

/** Kysely believes that SQLite cannot roll back a schema change; it can, and a failed migration must leave nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

const dialectOf = (connection: SqliteConnection): Dialect => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createDriver: () => new SqliteDriver(connection),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

export const kyselyOver = (connection: SqliteConnection): Db => new Kysely<Tables>({ dialect: dialectOf(connection) });
