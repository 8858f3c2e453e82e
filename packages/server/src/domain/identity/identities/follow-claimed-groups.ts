import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import type { Identity } from "../../../ports/identity-provider/identity-provider.ts";
import { renewRights } from "../../../rights/renew-rights.ts";
import { getWorkspace } from "../accounts/create-user.ts";
import { deleteGroupMember, insertGroupMember } from "../groups/queries.ts";
import { lockWorkspace } from "../members/queries.ts";
import { deleteClaimedGroup, insertClaimedGroup, isInGroup, listClaimedGroups, listNamedGroups } from "./queries.ts";

interface GroupChange {
  readonly workspaceId: string;
  readonly name: string;
  readonly isIn: boolean;
}

/** Longer claims are cut, because one query names all groups. */
const MAX_GROUPS = 500;

/**
 * Adds the person to the groups named in the provider's claim and removes them from groups that an earlier claim named.
 * Matches groups by name and creates none. Memberships given by hand stay.
 */
export async function followClaimedGroups(
  tx: Tx,
  userId: string,
  { issuer, groups }: Pick<Identity, "issuer" | "groups">,
  { oidcWorkspace }: Pick<Config, "oidcWorkspace">,
): Promise<GroupChange[]> {
  if (groups === undefined) return [];
  const only = oidcWorkspace === undefined ? undefined : (await getWorkspace(tx, oidcWorkspace)).id;
  const named = (await listNamedGroups(tx, userId, groups.slice(0, MAX_GROUPS).concat(""))).filter(
    ({ workspace_id }) => only === undefined || workspace_id === only,
  );
  const before = await listClaimedGroups(tx, userId, issuer);
  const isNamed = (row: { workspace_id: string; group_id: string }) =>
    named.some(({ workspace_id, id }) => workspace_id === row.workspace_id && id === row.group_id);
  const leaving = before.filter((row) => !isNamed(row));
  const joining = [];
  for (const group of named) if (!(await isInGroup(tx, group.workspace_id, group.id, userId))) joining.push(group);
  for (const workspaceId of new Set([...leaving, ...joining].map((row) => row.workspace_id).sort())) {
    await lockWorkspace(tx, workspaceId);
    await renewRights(tx, workspaceId);
  }
  for (const row of leaving) {
    await deleteClaimedGroup(tx, { workspace_id: row.workspace_id, group_id: row.group_id, user_id: userId, issuer });
    await deleteGroupMember(tx, row.workspace_id, row.group_id, userId);
  }
  for (const { workspace_id, id } of joining) {
    await insertGroupMember(tx, workspace_id, id, userId);
    await insertClaimedGroup(tx, { workspace_id, group_id: id, user_id: userId, issuer });
  }
  return [
    ...leaving.flatMap(({ workspace_id, name }) =>
      name === null ? [] : [{ workspaceId: workspace_id, name, isIn: false }],
    ),
    ...joining.map(({ workspace_id, name }) => ({ workspaceId: workspace_id, name, isIn: true })),
  ];
}
