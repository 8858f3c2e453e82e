import type { Tx } from "../../../db/database.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import { countWorkingTokens } from "./queries.ts";

/** Refuses a token beyond the limit per person and workspace. Concurrent creations are serialized. */
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
