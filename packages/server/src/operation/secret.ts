import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { ServerSecret } from "../http/server-secret.ts";
import { newSecret } from "../ids.ts";

type Settings = Pick<Config, "secret" | "secretPrevious">;

/** The server's secret: from the settings, or generated once and stored in the database that all processes share. */
export async function loadSecret(database: Database, config: Settings): Promise<ServerSecret> {
  const current = config.secret ?? (await keptSecret(database));
  const previous = config.secretPrevious;
  return { current, previous: previous === current ? undefined : previous };
}

function keptSecret(database: Database): Promise<string> {
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
