import { type AliasedRawBuilder, sql } from "kysely";

/** A row whose columns only the database knows. */
type AnyRow = Readonly<Record<string, unknown>>;

/**
 * A table that is named at run time, as a source of a query: the database checks its columns, not the compiler. What a
 * restricted reader hides (audience/) is not hidden here, so only what sees everything may use it.
 */
export const anyTable = <Row extends object = AnyRow>(name: string): AliasedRawBuilder<Row, "rows"> =>
  sql.table<Row>(name).as("rows");
