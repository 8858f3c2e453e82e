import type { Tx } from "../../../db/database.ts";
import type { Role } from "../../../db/schema/tables/accounts.ts";
import { getUserByEmail, getWorkspace } from "../accounts/create-user.ts";
import { insertMembership } from "../accounts/queries.ts";
import { changeRole } from "./change-members.ts";
import { findRole, lockWorkspace } from "./queries.ts";

interface Member {
  readonly userId: string;
  readonly userName: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
  /** True if the person was not a member of the workspace before. */
  readonly isNew: boolean;
}

/** Adds a user to a workspace; an existing member gets this role, under the same rules as in the browser. */
export async function addMember(tx: Tx, email: string, idOrName: string, role: Role): Promise<Member> {
  const user = await getUserByEmail(tx, email);
  const workspace = await getWorkspace(tx, idOrName);
  await lockWorkspace(tx, workspace.id);
  const isNew = (await findRole(tx, workspace.id, user.id)) === undefined;
  if (!isNew) await changeRole(tx, workspace.id, user.id, role);
  else await insertMembership(tx, { workspace_id: workspace.id, user_id: user.id, role, created_at: Date.now() });
  return {
    userId: user.id,
    userName: user.name,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    role,
    isNew,
  };
}
