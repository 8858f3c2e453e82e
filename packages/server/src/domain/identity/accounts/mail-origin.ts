import type { Reader } from "../../../db/database.ts";
import { listMemberships } from "./queries.ts";

/** Jobs belong to a workspace; this value is used for accounts without one. */
export const NO_WORKSPACE = "accounts";

/** The person and workspace on whose behalf a mail about an account is sent. */
export async function mailOriginOf(db: Reader, userId: string) {
  const [first] = await listMemberships(db, userId);
  return { workspaceId: first?.id ?? NO_WORKSPACE, createdBy: userId };
}
