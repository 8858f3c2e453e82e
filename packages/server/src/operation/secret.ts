import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { newSecret } from "../ids.ts";

/** The server's secret: from the settings, or made once and kept in the database that all processes share. */
export async function loadSecret(database: Database, config: Config): Promise<string> {
  if (config.secret) return config.secret;
  return database.transaction(async (tx) => {
    await tx
      .insertInto("server_state")
      .values({ key: "secret", value: newSecret() })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
    const row = await tx
      .selectFrom("server_state")
      .select("value")
      .where("key", "=", "secret")
      .executeTakeFirstOrThrow();
    return row.value;
  });
}
