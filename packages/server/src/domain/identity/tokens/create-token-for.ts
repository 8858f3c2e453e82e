import type { Tx } from "../../../db/database.ts";
import type { Access } from "../../../db/schema/tables/accounts.ts";
import { AccountError } from "../accounts/account-error.ts";
import { getUserByEmail, getWorkspace, normaliseName } from "../accounts/create-user.ts";
import { listMemberships } from "../accounts/queries.ts";
import { type CreatedToken, createToken } from "./create-token.ts";
import { listBaseIds } from "./queries.ts";

interface TokenWish {
  readonly email: string;
  readonly access: Access;
  readonly workspace?: string | undefined;
  readonly name?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly knowledgeBaseIds?: readonly number[] | undefined;
}

type TokenFor = CreatedToken & {
  readonly name: string;
  readonly userId: string;
  readonly userName: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
};

/** Creates a token for a user known by email, in the named workspace or in their only one. */
export async function createTokenFor(tx: Tx, wish: TokenWish): Promise<TokenFor> {
  const user = await getUserByEmail(tx, wish.email);
  const workspace = await chosenWorkspace(tx, user, wish.workspace);
  await checkBases(tx, workspace.id, wish.knowledgeBaseIds ?? []);
  const name = normaliseName(wish.name ?? "command line");
  const token = await createToken(tx, { ...wish, name, userId: user.id, workspaceId: workspace.id });
  return {
    ...token,
    name,
    userId: user.id,
    userName: user.name,
    workspaceId: workspace.id,
    workspaceName: workspace.name,
  };
}

async function checkBases(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  const known = new Set((await listBaseIds(tx, workspaceId, ids)).map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw new AccountError(`The workspace has no knowledge base ${missing}.`);
}

async function chosenWorkspace(
  tx: Tx,
  user: { id: string; email: string },
  wanted: string | undefined,
): Promise<{ id: string; name: string }> {
  const own = await listMemberships(tx, user.id);
  if (wanted !== undefined) {
    const named = own.filter((workspace) => workspace.id === wanted || workspace.name === wanted);
    if (named.length === 1 && named[0]) return named[0];
    const workspace = await getWorkspace(tx, wanted);
    throw new AccountError(`${user.email} is not a member of ${workspace.name} (${workspace.id}).`);
  }
  const [only, ...others] = own;
  if (!only) throw new AccountError(`${user.email} belongs to no workspace.`);
  if (others.length > 0)
    throw new AccountError(
      `${user.email} has several workspaces: choose one with --workspace (${own.map((w) => w.id).join(", ")}).`,
    );
  return only;
}
