import type { Reader, Tx } from "../../../db/database.ts";
import type { Role, UserRow } from "../../../db/schema/tables/accounts.ts";
import { newId } from "../../../ids.ts";
import { AccountError } from "./account-error.ts";
import { normaliseEmail, plainEmail } from "./email.ts";
import { findUserByEmail, findWorkspaces, insertMembership, insertUser, insertWorkspace } from "./queries.ts";

interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** The workspace to join; without it, the user gets a workspace of their own. */
  readonly workspace?: string | undefined;
  /** The name of the user's own workspace; by default named after them. */
  readonly workspaceName?: string | undefined;
  readonly role?: Role | undefined;
}

interface CreatedUser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
}

export const normaliseName = (name: string): string => {
  const trimmed = name.trim();
  if (!/^[^\p{Cc}]{1,500}$/u.test(trimmed))
    throw new AccountError("A name has 1 to 500 characters and no control characters.");
  return trimmed;
};

/** True if the operator or a provider vouches for the address. */
export async function createUser(tx: Tx, input: NewUser): Promise<CreatedUser> {
  const email = normaliseEmail(input.email);
  const name = normaliseName(input.name);
  if (await findUserByEmail(tx, email)) throw new AccountError(`There is a user with the email ${email} already.`);
  const now = Date.now();
  const userId = newId("user");
  await insertUser(tx, {
    id: userId,
    email,
    name,
    password_hash: input.passwordHash,
    created_at: now,
    email_verified_at: now,
  });
  const joins = input.workspace;
  const workspace =
    joins === undefined
      ? await createWorkspace(tx, input.workspaceName ?? `${name}'s workspace`, now)
      : await getWorkspace(tx, joins);
  const role = input.role ?? (joins === undefined ? "owner" : "editor");
  await insertMembership(tx, { workspace_id: workspace.id, user_id: userId, role, created_at: now });
  return { userId, email, name, workspaceId: workspace.id, workspaceName: workspace.name, role };
}

async function createWorkspace(tx: Tx, name: string, now: number): Promise<{ id: string; name: string }> {
  const workspace = { id: newId("ws"), name: name.slice(0, 500), created_at: now };
  await insertWorkspace(tx, workspace);
  return workspace;
}

export async function getWorkspace(db: Reader, idOrName: string): Promise<{ id: string; name: string }> {
  const found = await findWorkspaces(db, idOrName);
  const [workspace] = found;
  if (!workspace) throw new AccountError(`There is no workspace ${idOrName || "without a name"}.`);
  if (found.length > 1) throw new AccountError(`Several workspaces are called ${idOrName}: give the id instead.`);
  return workspace;
}

export async function getUserByEmail(db: Reader, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, plainEmail(email));
  if (!user) throw new AccountError(`There is no user with the email ${email}.`);
  return user;
}
