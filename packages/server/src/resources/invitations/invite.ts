import type { Tx } from "../../db/database.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";
import { hashSecret } from "../../http/authenticate.ts";
import { newId, newSecret } from "../../ids.ts";
import { insertMembership } from "../accounts/queries.ts";
import { findRole, lockWorkspace } from "../members/queries.ts";
import { deleteInvitationsBefore, insertInvitation, takeInvitation } from "./queries.ts";

const INVITATION_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface NewInvitation {
  readonly workspaceId: string;
  readonly createdBy: string;
  readonly role: Role;
  readonly note: string;
}

/** Makes a link that lets one person in, and tells its secret, known only now. */
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

/** Uses the link up and lets the person in; undefined when it is no longer good. Who is in already keeps their role. */
export async function acceptInvitation(tx: Tx, secret: string, userId: string): Promise<string | undefined> {
  const now = Date.now();
  const taken = await takeInvitation(tx, hashSecret(secret), now);
  if (!taken) return undefined;
  await lockWorkspace(tx, taken.workspace_id);
  if (!(await findRole(tx, taken.workspace_id, userId)))
    await insertMembership(tx, {
      workspace_id: taken.workspace_id,
      user_id: userId,
      role: taken.role,
      created_at: now,
    });
  return taken.workspace_id;
}
