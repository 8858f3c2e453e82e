import { PostgresAdapter, sql } from "kysely";
import type { Schema } from "./migrate.ts";

/**
 * Has long values of these columns packed with LZ4, where the database packs values and can do that: the way that
 * PostgreSQL packs them otherwise takes longer than all the rest of their insertion. What is stored stays as it is.
 */
export async function compressQuickly(db: Schema, table: string, columns: readonly string[]): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  const { rows } =
    await sql`select 1 from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)`.execute(
      db,
    );
  if (rows.length === 0) return;
  for (const column of columns)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set compression lz4`.execute(db);
}
