import type { Database, Reader } from "../db/database.ts";
import { ulid } from "../ulid.ts";

/** The name of the run of events that a store has: made with the store, and anew where a backup is put back. */
const KEY = "history";

/** Stores from before there was a name get one. */
export const ensureHistory = (database: Database): Promise<unknown> =>
  database.transaction((tx) =>
    tx
      .insertInto("server_state")
      .values({ key: KEY, value: ulid() })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute(),
  );

/** Read every time: a backup may be put back while this process serves. */
export async function readHistory(db: Reader): Promise<string> {
  const row = await db.selectFrom("server_state").select("value").where("key", "=", KEY).executeTakeFirst();
  return row?.value ?? "";
}
