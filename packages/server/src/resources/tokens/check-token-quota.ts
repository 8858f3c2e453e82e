import type { Tx } from "../../db/database.ts";
import { quotaExceeded } from "../../quota-error.ts";
import { countWorkingTokens } from "./queries.ts";

/** Refuses one token more than a person may have in a workspace. Those who make one at the same time wait for each other. */
export async function checkTokenQuota(tx: Tx, userId: string, workspaceId: string, limit: number): Promise<void> {
  await tx.lock("user", workspaceId, userId);
  const used = await countWorkingTokens(tx, userId, workspaceId, Date.now());
  if (used >= limit)
    throw quotaExceeded(
      "tokens",
      limit,
      used,
      "Revoke a token or disconnect a program in the browser under API management, then try again.",
    );
}
