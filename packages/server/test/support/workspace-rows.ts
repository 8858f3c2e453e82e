import { anyTable } from "@svc/server/db/any-table";
import type { Database } from "@svc/server/db/database";

/** When a token was last used is written down late, by whoever uses it. */
const LATE = new Set(["last_used_at", "last_client"]);

/** Moves by itself in the background, after whatever happened. */
const MOVING = "watch_positions";

/** The databases give bytes as different objects. */
const shown = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value);

/** Every row that belongs to a workspace, as text, by table. */
export async function workspaceRows(database: Database, workspaceId: string): Promise<Map<string, string>> {
  const tables = new Map<string, string>();
  for (const { name, columns } of await database.tables()) {
    if (name === MOVING || !columns.some((column) => column.name === "workspace_id")) continue;
    const rows = await database.read
      .selectFrom(anyTable(name))
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .execute();
    const texts = rows.map((row) =>
      JSON.stringify(Object.entries(row).flatMap(([field, value]) => (LATE.has(field) ? [] : [[field, shown(value)]]))),
    );
    tables.set(name, texts.sort().join("\n"));
  }
  return tables;
}

/** Rows that one of two readings has and the other does not, cut to what fits a message. */
export function differentRows(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const rowsOf = (tables: ReadonlyMap<string, string>) =>
    new Set([...tables].flatMap(([table, text]) => (text ? text.split("\n").map((row) => `${table}: ${row}`) : [])));
  const [then, later] = [rowsOf(before), rowsOf(now)];
  return [
    ...[...then.difference(later)].map((row) => `gone: ${row.slice(0, 500)}`),
    ...[...later.difference(then)].map((row) => `new: ${row.slice(0, 500)}`),
  ];
}
