import pg from "pg";
import { BackupError } from "../backup/backup-error.ts";
import type { StoredRow, StoredValue, StoreRows, TableColumns } from "../backup/stored-rows.ts";
import { connectionOptions } from "./servers.ts";

/** Bytes that one batch of rows should have. */
const BATCH_BYTES = 2 << 20;
const MAX_BATCH_ROWS = 2000;
/** PostgreSQL takes 65,535 values in a statement. */
const MAX_VALUES = 30_000;
const LOCK_WAIT = "60s";

const INTEGERS = new Set([20, 21, 23]);
const BYTEA = 17;

const parserOf = (oid: number) => {
  if (INTEGERS.has(oid)) return (text: string): StoredValue => BigInt(text);
  if (oid === BYTEA) return (text: string): StoredValue => Buffer.from(text.slice(2), "hex");
  return (text: string): StoredValue => text;
};

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { connectionString, Client } = connectionOptions(url);
  const client = new Client({ connectionString, types: { getTypeParser: parserOf as never } });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    return await work(client);
  } finally {
    await client.end();
  }
}

const valuesOf = async (client: pg.Client, text: string, values: unknown[] = []): Promise<StoredValue[][]> =>
  (await client.query<StoredValue[]>({ text, values, rowMode: "array" })).rows;

/** Reads the store in one transaction that sees a single instant. `schema` is the name of its last migration. */
export const readServer = <T>(url: string, work: (rows: StoreRows, schema: string) => Promise<T>): Promise<T> =>
  withClient(url, async (client) => {
    await client.query("begin isolation level repeatable read, read only");
    const [last] = await valuesOf(client, "select name from kysely_migration order by name desc limit 1");
    const rows = { read: (table: TableColumns) => readTable(client, table), lastIds: await readLastIds(client) };
    return work(rows, String(last?.[0] ?? ""));
  });

/** A cursor, because a table may not fit into memory. Large rows come in smaller batches. */
async function* readTable(client: pg.Client, { name, columns }: TableColumns): AsyncGenerator<StoredRow[]> {
  const names = columns.map(pg.escapeIdentifier).join(", ");
  await client.query(`declare saved no scroll cursor for select ${names} from ${pg.escapeIdentifier(name)}`);
  for (let size = 20; ; ) {
    const rows = await valuesOf(client, `fetch ${size} from saved`);
    if (rows.length === 0) break;
    yield rows;
    const average = rows.reduce((sum, row) => sum + bytesOf(row), 0) / rows.length;
    size = Math.max(1, Math.min(size * 2, MAX_BATCH_ROWS, Math.floor(BATCH_BYTES / average)));
  }
  await client.query("close saved");
}

const bytesOf = (row: StoredRow): number =>
  row.reduce((sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8), 1);

const IDENTITIES = `select table_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
  from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`;

async function readLastIds(client: pg.Client): Promise<Map<string, bigint>> {
  const lastIds = new Map<string, bigint>();
  for (const [table, sequence] of await valuesOf(client, IDENTITIES)) {
    const [row] = await valuesOf(client, `select last_value, is_called::text from ${sequence}`);
    if (row?.[1] === "true") lastIds.set(String(table), BigInt(row[0] as bigint));
  }
  return lastIds;
}

export const isEmptyServer = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const [found] = await valuesOf(client, "select to_regclass('users')::text");
    if (!found?.[0]) return true;
    return (await valuesOf(client, "select 1 from users union all select 1 from workspaces limit 1")).length === 0;
  });

/** Replaces the content of a store with the current schema in one transaction. */
export const replaceServer = (url: string, tables: readonly TableColumns[], rows: StoreRows): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query("begin");
    const names = tables.map(({ name }) => pg.escapeIdentifier(name));
    await client.query(`lock table ${names.join(", ")} in access exclusive mode`).catch((error) => {
      throw new BackupError(`The store is still busy: ${error.message}.`);
    });
    const restoreKeys = await dropForeignKeys(client);
    await client.query(`truncate ${names.join(", ")}`);
    for (const table of tables) for await (const batch of rows.read(table)) await insert(client, table, batch);
    await restoreKeys();
    for (const [table, sequence] of await valuesOf(client, IDENTITIES)) {
      const last = rows.lastIds.get(String(table)) ?? 0n;
      await client.query("select setval($1, greatest($2::bigint, 1), $2::bigint > 0)", [sequence, String(last)]);
    }
    await client.query("commit");
    await client.query("analyze");
  });

/** Rows refer to others that come later. The keys are checked when they are put back, all at once. */
async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const keys = await valuesOf(
    client,
    `select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  for (const [table, name] of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const [table, name, definition] of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}

async function insert(client: pg.Client, { name, columns }: TableColumns, rows: readonly StoredRow[]): Promise<void> {
  const names = columns.map(pg.escapeIdentifier).join(", ");
  const step = Math.max(1, Math.floor(MAX_VALUES / columns.length));
  for (let at = 0; at < rows.length; at += step) {
    const part = rows.slice(at, at + step);
    const marks = part.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`);
    const values = part.flat().map((value) => (typeof value === "bigint" ? String(value) : value));
    await client.query(
      `insert into ${pg.escapeIdentifier(name)} (${names}) overriding system value values ${marks.join(", ")}`,
      values,
    );
  }
}
