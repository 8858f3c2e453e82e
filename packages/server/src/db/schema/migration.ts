import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from "kysely";

/** The column types whose names differ between the databases. */
export interface ColumnTypes {
  /** An integer primary key that the database assigns, rising and never reused. */
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  readonly integer: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** For values of at most one page that every query reads: stores them uncompressed within the row. */
  readonly keepInRow: (schema: Schema, table: string, column: string) => Promise<void>;
  /** For long values that are often written: uses the fastest compression. Existing values stay as they are. */
  readonly packQuickly: (schema: Schema, table: string, columns: readonly string[]) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a migration works on the schema of its own time, not on today's tables
export type Schema = Kysely<any>;
export type Migration = (schema: Schema, types: ColumnTypes) => Promise<void>;
