import type { Kysely, RawBuilder, SelectQueryBuilder } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { LockMode } from "../transaction/lock-order.ts";

/** What statements have to know of a kind of database. There is one object for each kind. */
export interface StatementDialect {
  /** Builds and compiles statements; it is connected to nothing and runs none. */
  readonly builder: Kysely<Tables>;
  /** How the text of a statement names its parameter of this index. */
  readonly mark: (index: number) => string;
  /** A column of text as it is cheapest to be sent on: in UTF-8 where the database hands that out, else as a string. */
  readonly textToSend: (column: string) => RawBuilder<string | Uint8Array>;
  /** Transactions run one after the other, so that each sees what all before it have done. */
  readonly hasOneWriter: boolean;
  /** Makes a query lock the rows that it finds, to the end of its transaction; it fails where it may not wait for one. */
  readonly lockRows: <Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
    mode: LockMode,
    mayWait: boolean,
  ) => SelectQueryBuilder<Tables, Table, Row>;
}

type Run = (sql: string, parameters: unknown[]) => unknown[] | Promise<unknown[]>;

/** Runs compiled statements past the query builder, whose own steps cost as much as many a query. */
export interface StatementRunner {
  readonly dialect: StatementDialect;
  readonly run: Run;
  /** The same for rows that callers do not modify: several callers may get the same objects. */
  readonly runShared: Run;
  /** The same, for queries that take next to no time and are better asked together. */
  readonly runBatched: Run;
}

export interface TxStatementRunner extends StatementRunner {
  /** For a statement whose rows are not needed: it is sent with the next one, which fails with it. */
  readonly enqueue: (sql: string, parameters: unknown[]) => void;
  /** The same for one whose rows are needed later: what it gives is to be called for them. */
  readonly enqueueForRows: (sql: string, parameters: unknown[]) => () => Promise<unknown[]>;
}
