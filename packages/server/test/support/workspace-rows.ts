import { createHash } from "node:crypto";
import { anyTable } from "@svc/server/db/any-table";
import type { Database } from "@svc/server/db/database";

/** When a token was last used is written down late, by whoever uses it. */
const LATE = new Set(["last_used_at", "last_client"]);

/** Moves by itself in the background, after whatever happened. */
const MOVING = "watch_positions";

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
    const texts = rows.map((row) => JSON.stringify(row, (field, value) => (LATE.has(field) ? undefined : value)));
    tables.set(name, texts.sort().join("\n"));
  }
  return tables;
}

/** A short text per table that changes when a row does. */
export const digestsOf = (tables: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...tables].map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]));
