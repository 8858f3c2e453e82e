import { DatabaseSync } from "node:sqlite";
import {
  RowsDigest,
  type StoredRow,
  type StoredValue,
  type StoreRows,
  type TableColumns,
  type TableDigest,
} from "../../backup/stored-rows.ts";

/** Tables that belong to the database, the schema or the backup, not to the store's content. */
const IS_FOREIGN = /^(sqlite_|svc_backup_|kysely_)/;
/** Bytes of rows that are handed on together. */
const BATCH_BYTES = 1 << 20;

const quote = (name: string): string => `"${name}"`;
const namesOf = (columns: readonly string[]): string => columns.map(quote).join(", ");

/** The tables of a store and their columns. */
export function listTables(database: DatabaseSync): TableColumns[] {
  const rows = database
    .prepare(
      `select t.name as name, c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
        where t.type = 'table' order by t.name, c.cid`,
    )
    .all();
  const tables = new Map<string, string[]>();
  for (const { name, column } of rows)
    if (!IS_FOREIGN.test(String(name))) tables.set(String(name), [...(tables.get(String(name)) ?? []), String(column)]);
  return [...tables].map(([name, columns]) => ({ name, columns }));
}

function* iterate(database: DatabaseSync, { name, columns }: TableColumns): Generator<StoredRow> {
  const statement = database.prepare(`select ${namesOf(columns)} from ${quote(name)}`);
  statement.setReadBigInts(true);
  for (const row of statement.iterate()) yield columns.map((column) => row[column] as StoredValue);
}

const sizeOf = (row: StoredRow): number =>
  row.reduce((sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8), 0);

/** The rows of a file, for another database. */
export function rowsOf(database: DatabaseSync): StoreRows {
  return {
    async *read(table) {
      let batch: StoredRow[] = [];
      let bytes = 0;
      for (const row of iterate(database, table)) {
        batch.push(row);
        bytes += sizeOf(row);
        if (bytes < BATCH_BYTES && batch.length < 1000) continue;
        yield batch;
        [batch, bytes] = [[], 0];
      }
      if (batch.length > 0) yield batch;
    },
    lastIds: readLastIds(database),
  };
}

function readLastIds(database: DatabaseSync): Map<string, bigint> {
  const statement = database.prepare("select name, seq from sqlite_sequence");
  statement.setReadBigInts(true);
  return new Map(statement.all().map(({ name, seq }) => [String(name), BigInt(seq as bigint)]));
}

/** Replaces the content of a file with the current schema, and returns the digests of what was read. */
export async function writeRows(file: string, rows: StoreRows): Promise<Map<string, TableDigest>> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const digests = new Map<string, TableDigest>();
  try {
    database.exec("pragma journal_mode = off; pragma synchronous = off; begin");
    for (const table of listTables(database)) {
      database.exec(`delete from ${quote(table.name)}`);
      digests.set(table.name, await writeTable(database, table, rows));
    }
    database.exec("delete from sqlite_sequence");
    const addLastId = database.prepare("insert into sqlite_sequence (name, seq) values (?, ?)");
    for (const [table, id] of rows.lastIds) addLastId.run(table, id);
    database.exec("commit");
  } finally {
    database.close();
  }
  return digests;
}

async function writeTable(database: DatabaseSync, table: TableColumns, rows: StoreRows): Promise<TableDigest> {
  const marks = table.columns.map(() => "?").join(", ");
  const insert = database.prepare(`insert into ${quote(table.name)} (${namesOf(table.columns)}) values (${marks})`);
  const digest = new RowsDigest();
  for await (const batch of rows.read(table))
    for (const row of batch) {
      insert.run(...row);
      digest.add(row);
    }
  return digest.result();
}

/** The digest of each table, read from the file itself. */
export function digestFile(database: DatabaseSync): Map<string, TableDigest> {
  const digests = new Map<string, TableDigest>();
  for (const table of listTables(database)) {
    const digest = new RowsDigest();
    for (const row of iterate(database, table)) digest.add(row);
    digests.set(table.name, digest.result());
  }
  return digests;
}
