import { sql } from "kysely";
import type { Migration, Schema } from "../migration.ts";

const START = '{"event_id":';

/**
 * Stored events said `"event_id":7.0` on SQLite, and deliveries of webhooks repeated it. Nothing else of the text
 * changes. What a webhook's receiver has answered keeps its signature: the body is signed when it is sent.
 */
export const wholeEventIds: Migration = async (db) => {
  await repair(db, "events", "data", "id", sql`${sql.lit(START)}`);
  await repair(
    db,
    "webhook_deliveries",
    "payload",
    "event_id",
    sql`substr(payload, 1, ${sql.lit(DELIVERY_HEAD)} + length(event_type)) || ${sql.lit(START)}`,
  );
};

/** Length of a delivery's body before the event, without the type's own name. */
const DELIVERY_HEAD = '{"type":"","timestamp":"2026-11-16T00:00:00.000Z","data":'.length;

/** Cuts the `.0` after the id out of every text that begins with `head`, the id and `.0`. */
async function repair(db: Schema, table: string, column: string, id: string, head: ReturnType<typeof sql>) {
  const text = sql.ref(column);
  const before = sql`${head} || cast(${sql.ref(id)} as bigint)`;
  const isFloat = sql`substr(${text}, 1, length(${before}) + 3) = ${before} || '.0,'`;
  await sql`
    update ${sql.table(table)}
    set ${text} = ${before} || substr(${text}, length(${before}) + 3)
    where ${sql.ref(id)} is not null and ${isFloat}`.execute(db);
}
