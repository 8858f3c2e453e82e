import type { Database, Reader } from "../db/database.ts";
import { ulid } from "../ulid.ts";

/** Identifies a store's run of events: made with the store, and again when a backup is restored. */
const KEY = "history";

/** Adds the name to stores that are older than it. */
export const ensureHistory = (database: Database): Promise<unknown> =>
  database.transaction((tx) =>
    tx
      .insertInto("server_state")
      .values({ key: KEY, value: ulid() })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute(),
  );

/** Read every time, because a backup may be restored while this process serves. */
export async function readHistory(db: Reader): Promise<string> {
  const row = await db.selectFrom("server_state").select("value").where("key", "=", KEY).executeTakeFirst();
  return row?.value ?? "";
}
