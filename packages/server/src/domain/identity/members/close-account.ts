import type { Tx } from "../../../db/database.ts";
import { deleteNotificationsOf } from "../../../notify/queries.ts";
import { AccountError } from "../accounts/account-error.ts";
import { deleteUser, listMemberships, updateUser } from "../accounts/queries.ts";
import { deleteSessionsOf } from "../sessions/queries.ts";
import { listMembers, lockWorkspace } from "./queries.ts";

/** Disables the account: ends its sessions and suspends its tokens until it is enabled again. */
export async function disableUser(tx: Tx, userId: string, now: number): Promise<void> {
  await updateUser(tx, userId, { disabled_at: now });
  await deleteSessionsOf(tx, userId);
}

export const enableUser = (tx: Tx, userId: string) => updateUser(tx, userId, { disabled_at: null });

/**
 * Deletes the account with its tokens, sessions, memberships and open invitations. The person's content stays,
 * attributed to a deleted user. A workspace with other members must keep an owner.
 */
export async function removeUser(tx: Tx, userId: string): Promise<void> {
  for (const workspace of await listMemberships(tx, userId))
    if (workspace.role === "owner" && (await isNeeded(tx, workspace.id, userId)))
      throw new AccountError(
        `They are the only owner of ${workspace.name} (${workspace.id}), which has other members: make one of them an owner first, with svc members add --role owner.`,
      );
  await deleteNotificationsOf(tx, userId);
  await deleteUser(tx, userId);
}

async function isNeeded(tx: Tx, workspaceId: string, userId: string): Promise<boolean> {
  await lockWorkspace(tx, workspaceId);
  const members = (await listMembers(tx, workspaceId)).filter(({ id }) => id !== userId);
  return members.length > 0 && !members.some(({ role, disabled_at }) => role === "owner" && disabled_at === null);
}
