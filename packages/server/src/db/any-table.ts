import { type AliasedRawBuilder, sql } from "kysely";

/** A row whose columns only the database knows. */
type AnyRow = Readonly<Record<string, unknown>>;

/**
 * A source of a query whose table is named at run time: the database checks its columns, not the compiler. This does
 * not apply a reader's restrictions (audience/), so only code that may see every row may use it.
 */
export const anyTable = <Row extends object = AnyRow>(name: string): AliasedRawBuilder<Row, "rows"> =>
  sql.table<Row>(name).as("rows");
