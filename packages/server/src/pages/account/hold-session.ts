import type { Tx } from "../../db/database.ts";
import { apiError } from "../../errors.ts";
import { isOpenSession } from "../../resources/sessions/queries.ts";
import type { MemberVisit } from "../visit.ts";

/**
 * For whatever makes a way into the account: whoever changes the password ends sessions and tokens under the account's
 * lock, and what an ended session had under way must not come after them.
 */
export async function holdSession(tx: Tx, { viewer }: Pick<MemberVisit, "viewer">): Promise<void> {
  await tx.lock("user", "", viewer.userId);
  if (!(await isOpenSession(tx, viewer.sessionId))) throw apiError("token_missing");
}
