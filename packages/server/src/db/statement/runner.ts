import type { Kysely, RawBuilder, SelectQueryBuilder } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { LockMode } from "../transaction/lock-order.ts";

/** Properties of a database that statements depend on. There is one object for each database. */
export interface StatementDialect {
  /** Builds and compiles statements; it has no connection and runs none. */
  readonly builder: Kysely<Tables>;
  /** How the text of a statement names its parameter of this index. */
  readonly mark: (index: number) => string;
  /**
   * The cheapest form in which to select a text column that is sent on: UTF-8 bytes where the database can return them,
   * else a string.
   */
  readonly textToSend: (column: string) => RawBuilder<string | Uint8Array>;
  /** Transactions run one after the other, so each sees the changes of all before it. */
  readonly hasOneWriter: boolean;
  /**
   * Makes a query lock the rows that it finds until the end of its transaction; it fails if it would have to wait and
   * may not.
   */
  readonly lockRows: <Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
    mode: LockMode,
    mayWait: boolean,
  ) => SelectQueryBuilder<Tables, Table, Row>;
  /** Makes a query lock the rows that it finds, and leave out those that another transaction has locked. */
  readonly claimRows: <Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
  ) => SelectQueryBuilder<Tables, Table, Row>;
}

type Run = (sql: string, parameters: unknown[]) => unknown[] | Promise<unknown[]>;

/** Runs compiled statements without the query builder, whose own steps cost as much as many queries. */
export interface StatementRunner {
  readonly dialect: StatementDialect;
  readonly run: Run;
  /** Returns rows that callers do not modify, so several callers may get the same objects. */
  readonly runShared: Run;
  /** For queries that take almost no time and are better sent together. */
  readonly runBatched: Run;
}

export interface TxStatementRunner extends StatementRunner {
  /** For a statement whose rows are not needed: it is sent with the next one, which fails with it. */
  readonly enqueue: (sql: string, parameters: unknown[]) => void;
  /** For a statement whose rows are needed later: call the result to get them. */
  readonly enqueueForRows: (sql: string, parameters: unknown[]) => () => Promise<unknown[]>;
}
