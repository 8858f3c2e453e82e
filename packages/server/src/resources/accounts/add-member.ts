import type { Reader, Tx } from "../../db/database.ts";
import type { Role } from "../../db/schema/tables/accounts.ts";
import { AccountError } from "./account-error.ts";
import { getWorkspace, normaliseEmail } from "./create-user.ts";
import { findUserByEmail, upsertMembership } from "./queries.ts";

export interface Member {
  readonly userId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
}

export async function getUserByEmail(db: Reader, email: string): Promise<{ id: string; email: string }> {
  const user = await findUserByEmail(db, normaliseEmail(email));
  if (!user) throw new AccountError(`There is no user with the email ${email}.`);
  return user;
}

/** Lets a user into a workspace; a member gets the role given here. */
export async function addMember(tx: Tx, email: string, idOrName: string, role: Role): Promise<Member> {
  const user = await getUserByEmail(tx, email);
  const workspace = await getWorkspace(tx, idOrName);
  await upsertMembership(tx, { workspace_id: workspace.id, user_id: user.id, role, created_at: Date.now() });
  return { userId: user.id, workspaceId: workspace.id, workspaceName: workspace.name, role };
}
