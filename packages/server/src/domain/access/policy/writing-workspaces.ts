import type { Reader } from "../../../db/database.ts";
import { loadRoles } from "../../../rights/load-rights.ts";
import { writesSomewhere } from "../../../rights/rights.ts";
import { listMemberships } from "../../identity/accounts/queries.ts";

/** The workspaces of a person in which they write at all: everywhere, or in one of the knowledge bases. */
export async function listWritingWorkspaces(db: Reader, userId: string): Promise<ReadonlySet<string>> {
  const writing = new Set<string>();
  for (const { id: workspaceId, role, rights_version: rightsVersion } of await listMemberships(db, userId)) {
    const rights = await loadRoles(db, { workspaceId, userId, role, rightsVersion, boundTo: null });
    if (writesSomewhere({ role, rights })) writing.add(workspaceId);
  }
  return writing;
}
