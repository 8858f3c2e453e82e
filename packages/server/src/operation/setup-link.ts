import { hashSecret } from "../http/callers/authenticate.ts";
import { newSecret } from "../ids.ts";
import { countUsers } from "../resources/accounts/queries.ts";
import type { Services } from "../services.ts";

const SETUP_KEY = "setup_token_hash";

/** On a store without users: prints a link that creates the first account, once. Each start makes a new one. */
export async function offerSetup({ database }: Services, baseUrl: string): Promise<void> {
  if ((await countUsers(database.read)) > 0) return;
  const token = newSecret();
  await database.transaction((tx) =>
    tx
      .insertInto("server_state")
      .values({ key: SETUP_KEY, value: hashSecret(token) })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: hashSecret(token) }))
      .execute(),
  );
  process.stdout.write(`\nNobody has an account here yet. Create the first one at\n\n  ${baseUrl}/setup/${token}\n\n`);
}
