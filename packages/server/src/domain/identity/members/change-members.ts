import type { Tx } from "../../../db/database.ts";
import type { Role } from "../../../db/schema/tables/accounts.ts";
import { notFound } from "../../../errors.ts";
import { AccountError } from "../accounts/account-error.ts";
import {
  countOwnersBeside,
  deleteInvitationsOf,
  deleteMembership,
  findMember,
  lockWorkspace,
  revokeTokensOf,
  updateRole,
} from "./queries.ts";

/** A workspace must always have an owner, so there has to be another one. */
async function refuseLastOwner(tx: Tx, workspaceId: string, userId: string, role: Role): Promise<void> {
  if (role === "owner" && (await countOwnersBeside(tx, workspaceId, userId)) === 0)
    throw new AccountError("This is the only owner. Make somebody else an owner first.");
}

interface Member {
  readonly name: string;
  readonly role: Role;
}

async function getMember(tx: Tx, workspaceId: string, userId: string): Promise<Member> {
  await lockWorkspace(tx, workspaceId);
  const member = await findMember(tx, workspaceId, userId);
  if (!member) throw notFound("member", userId);
  return member;
}

/** Returns the member as it was before. Also deletes the open invitations of a person who is no longer an owner. */
export async function changeRole(tx: Tx, workspaceId: string, userId: string, role: Role): Promise<Member> {
  const member = await getMember(tx, workspaceId, userId);
  if (member.role === role) return member;
  await refuseLastOwner(tx, workspaceId, userId, member.role);
  await updateRole(tx, workspaceId, userId, role);
  if (role !== "owner") await deleteInvitationsOf(tx, workspaceId, userId);
  return member;
}

/** Also revokes their tokens and deletes their open invitations. */
export async function removeMember(tx: Tx, workspaceId: string, userId: string, now: number): Promise<Member> {
  const member = await getMember(tx, workspaceId, userId);
  await refuseLastOwner(tx, workspaceId, userId, member.role);
  await revokeTokensOf(tx, workspaceId, userId, now);
  await deleteInvitationsOf(tx, workspaceId, userId);
  await deleteMembership(tx, workspaceId, userId);
  return member;
}
