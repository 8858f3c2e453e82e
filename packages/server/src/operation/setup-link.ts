import { countUsers } from "../domain/identity/accounts/queries.ts";
import { hashSecret } from "../http/callers/authenticate.ts";
import { newSecret } from "../ids.ts";
import type { Services } from "../services.ts";
import { firstAccountOf, makeFirstAccount } from "./first-account.ts";

const SETUP_KEY = "setup_token_hash";

/**
 * On a store without users: makes the account that the settings name, or prints a one-time link that creates the first
 * account. Each start makes a new link.
 */
export async function offerSetup(services: Services, baseUrl: string): Promise<void> {
  const { database, config } = services;
  if ((await countUsers(database.read)) > 0) return;
  const account = firstAccountOf(config);
  if (account) return makeFirstAccount(services, account);
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
