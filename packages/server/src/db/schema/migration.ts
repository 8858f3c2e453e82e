import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from "kysely";

/** The column types whose names differ between the databases. */
export interface ColumnTypes {
  /** An integer primary key that the database gives out, rising and never reused. */
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** For values of at most one page that are read on every query: keeps them beside the rest of their row, as they are. */
  readonly keepInRow: (schema: Schema, table: string, column: string) => Promise<void>;
  /** For long values that are written often: has them packed in the quickest way there is. What is stored stays as it is. */
  readonly packQuickly: (schema: Schema, table: string, columns: readonly string[]) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a migration works on the schema of its own time, not on today's tables
export type Schema = Kysely<any>;
export type Migration = (schema: Schema, types: ColumnTypes) => Promise<void>;
