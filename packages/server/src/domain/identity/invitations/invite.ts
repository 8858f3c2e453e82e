import type { Tx } from "../../../db/database.ts";
import type { Role } from "../../../db/schema/tables/accounts.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { newId, newSecret } from "../../../ids.ts";
import { DAY_MS } from "../../../time.ts";
import { insertMembership } from "../accounts/queries.ts";
import { findActiveRole, findMember, findRole, lockWorkspace } from "../members/queries.ts";
import { deleteInvitationsBefore, insertInvitation, takeInvitation } from "./queries.ts";

const INVITATION_DAYS = 7;

interface NewInvitation {
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly role: Role;
  readonly note: string;
}

/** Creates an invitation link for one person. The secret is returned only here. */
export async function invite(tx: Tx, input: NewInvitation): Promise<string> {
  const secret = newSecret();
  const now = Date.now();
  await deleteInvitationsBefore(tx, now);
  await insertInvitation(tx, {
    id: newId("inv"),
    workspace_id: input.workspaceId,
    token_hash: hashSecret(secret),
    role: input.role,
    note: input.note,
    created_by: input.createdBy,
    created_at: now,
    expires_at: now + INVITATION_DAYS * DAY_MS,
  });
  return secret;
}

export interface Joined {
  readonly workspaceId: string;
  readonly role: Role;
  readonly inviter: string;
  readonly inviterId: string;
  /** False if the person was already a member. */
  readonly isNew: boolean;
}

/**
 * Uses up the link and adds the person; undefined if the link is invalid or its creator is no longer an active owner.
 * Existing members keep their role.
 */
export async function acceptInvitation(tx: Tx, secret: string, userId: string): Promise<Joined | undefined> {
  const now = Date.now();
  const taken = await takeInvitation(tx, hashSecret(secret), now);
  if (!taken) return undefined;
  const { workspace_id: workspaceId, created_by } = taken;
  await lockWorkspace(tx, workspaceId);
  if ((await findActiveRole(tx, workspaceId, created_by)) !== "owner") return undefined;
  const inviter = (await findMember(tx, workspaceId, created_by))?.name ?? "";
  const has = await findRole(tx, workspaceId, userId);
  const role = has ?? taken.role;
  if (!has) await insertMembership(tx, { workspace_id: workspaceId, user_id: userId, role, created_at: now });
  return { workspaceId, role, inviter, inviterId: created_by, isNew: !has };
}
