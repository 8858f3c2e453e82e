import type { Tx } from "../../../db/database.ts";
import { isOpenSession } from "../../../domain/identity/sessions/queries.ts";
import { apiError } from "../../../errors.ts";
import type { MemberVisit } from "../visit.ts";

/**
 * Locks the account before it gets a new sign-in method. A password change ends sessions and tokens under the same
 * lock, so an ended session cannot add one afterwards.
 */
export async function holdSession(tx: Tx, { viewer }: Pick<MemberVisit, "viewer">): Promise<void> {
  await tx.lock("user", "", viewer.userId);
  if (!(await isOpenSession(tx, viewer.sessionId))) throw apiError("token_missing");
}
