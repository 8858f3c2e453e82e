import { listMemberships } from "../../../domain/identity/accounts/queries.ts";
import { loadRights } from "../../../rights/load-rights.ts";
import { roleIn } from "../../../rights/rights.ts";
import { listBases } from "../library/browse-queries.ts";
import type { MemberVisit } from "../visit.ts";

/** The knowledge bases that the person can see, in each of their workspaces. */
export async function visibleBases({ everywhere, viewer: { userId } }: MemberVisit) {
  const db = everywhere.database.read;
  const workspaces = await listMemberships(db, userId);
  return Promise.all(
    workspaces.map(async ({ id: workspaceId, name, role, rights_version: rightsVersion }) => {
      const rights = await loadRights(db, { workspaceId, userId, role, rightsVersion, boundTo: null });
      const bases = await listBases(db, workspaceId);
      return {
        workspace: { id: workspaceId, name },
        bases: bases.filter(({ id }) => roleIn({ role, rights }, id) !== "none"),
      };
    }),
  );
}
