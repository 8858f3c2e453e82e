import type { Tx } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import { DAY_MS } from "../../../time.ts";

/** A charge to a workspace's translation quota for one UTC day. */
export interface Charge {
  readonly workspaceId: string;
  readonly day: string;
  readonly characters: number;
}

/** Charges the quota; responds 429 until the next UTC day if it is exhausted. */
export async function chargeUsage(tx: Tx, workspaceId: string, characters: number, limit: number): Promise<Charge> {
  const now = Date.now();
  const charge = { workspaceId, day: new Date(now).toISOString().slice(0, 10), characters };
  if (characters === 0) return charge;
  const row = await addUsage(tx, charge);
  if (row.characters > limit) {
    const resetsAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    throw apiError(
      "translation_quota_exceeded",
      { limit, used: row.characters - characters, requested: characters, resets_at: resetsAt },
      { "retry-after": String(Math.ceil((resetsAt - now) / 1000)) },
    );
  }
  return charge;
}

/** Refunds the unused part of a charge. */
export const giveBack = async (tx: Tx, charge: Charge, characters: number): Promise<void> => {
  if (characters > 0) await addUsage(tx, { ...charge, characters: -characters });
};

const addUsage = (tx: Tx, { workspaceId, day, characters }: Charge) =>
  tx
    .insertInto("translation_usage")
    .values({ workspace_id: workspaceId, day, characters })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "day"])
        .doUpdateSet((eb) => ({ characters: eb("translation_usage.characters", "+", characters) })),
    )
    .returning("characters")
    .executeTakeFirstOrThrow();
