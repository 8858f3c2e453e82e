import type { SelectQueryBuilder } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { StatementDialect } from "../statement/runner.ts";

/**
 * Locks the rows that a query of a transaction finds, to its end, and reads them as they are once they are locked. On
 * SQLite a transaction has the whole file to itself already.
 */
export const locked = <Table extends keyof Tables, Row>(
  dialect: StatementDialect,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> => dialect.lockRows(query);
