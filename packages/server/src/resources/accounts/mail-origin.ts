import type { Reader } from "../../db/database.ts";
import { listMemberships } from "./queries.ts";

/** Jobs belong to a workspace, which an account without one does not name. */
export const NO_WORKSPACE = "accounts";

/** Whose a mail about an account is. */
export async function mailOriginOf(db: Reader, userId: string) {
  const [first] = await listMemberships(db, userId);
  return { workspaceId: first?.id ?? NO_WORKSPACE, createdBy: userId };
}
