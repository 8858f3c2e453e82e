import type { Database, Tx } from "../../../db/database.ts";
import { DailyQuotaExceeded } from "../../../quota-error.ts";
import { DAY_MS } from "../../../time.ts";

/** Tokens of a workspace's budget for one UTC day. */
type Charge = { readonly workspaceId: string; readonly day: string; readonly tokens: number };

const utcDay = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Charges tokens before they are used, so that questions at the same time share one budget; 429 beyond it. */
export function chargeTokens(
  database: Database,
  workspaceId: string,
  tokens: number,
  limit: number,
  now = Date.now(),
): Promise<Charge> {
  const charge = { workspaceId, day: utcDay(now), tokens };
  return database.transaction(async (tx) => {
    const used = (await addTokens(tx, charge)) - tokens;
    if (used + tokens > limit) throw new DailyQuotaExceeded("ask_tokens", limit, used, nextDay(now), now);
    return charge;
  });
}

/** Corrects a charge to what was used in the end. */
export async function settleTokens(database: Database, charge: Charge, used: number): Promise<void> {
  const tokens = used - charge.tokens;
  if (tokens !== 0) await database.transaction((tx) => addTokens(tx, { ...charge, tokens }));
}

const nextDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

async function addTokens(tx: Tx, { workspaceId, day, tokens }: Charge): Promise<number> {
  const row = await tx
    .insertInto("ask_usage")
    .values({ workspace_id: workspaceId, day, tokens })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "day"]).doUpdateSet((eb) => ({ tokens: eb("ask_usage.tokens", "+", tokens) })),
    )
    .returning("tokens")
    .executeTakeFirstOrThrow();
  return row.tokens;
}
