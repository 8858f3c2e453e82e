import type { Tx } from "../../db/database.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";
import { notFound } from "../../errors.ts";
import { AccountError } from "../accounts/account-error.ts";
import { countOwners, deleteMembership, findRole, lockWorkspace, revokeTokensOf, updateRole } from "./queries.ts";

/** A workspace always keeps someone who can manage it. */
async function refuseLastOwner(tx: Tx, workspaceId: string, role: Role): Promise<void> {
  if (role === "owner" && (await countOwners(tx, workspaceId)) === 1)
    throw new AccountError("This is the only owner. Make somebody else an owner first.");
}

async function getRole(tx: Tx, workspaceId: string, userId: string): Promise<Role> {
  await lockWorkspace(tx, workspaceId);
  const role = await findRole(tx, workspaceId, userId);
  if (!role) throw notFound("member", userId);
  return role;
}

export async function changeRole(tx: Tx, workspaceId: string, userId: string, role: Role): Promise<void> {
  const before = await getRole(tx, workspaceId, userId);
  if (before === role) return;
  await refuseLastOwner(tx, workspaceId, before);
  await updateRole(tx, workspaceId, userId, role);
}

export async function removeMember(tx: Tx, workspaceId: string, userId: string, now: number): Promise<void> {
  await refuseLastOwner(tx, workspaceId, await getRole(tx, workspaceId, userId));
  await revokeTokensOf(tx, workspaceId, userId, now);
  await deleteMembership(tx, workspaceId, userId);
}
