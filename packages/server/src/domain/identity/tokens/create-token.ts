import type { Tx } from "../../../db/database.ts";
import type { Access } from "../../../db/schema/tables/accounts.ts";
import { hashSecret, TOKEN_PREFIX } from "../../../http/callers/authenticate.ts";
import { scopes as allScopes, isScope, type Scope, scopesOf } from "../../../http/callers/scopes.ts";
import { newId, newSecret } from "../../../ids.ts";
import { AccountError } from "../accounts/account-error.ts";
import { insertToken } from "./queries.ts";

interface NewToken {
  readonly userId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly access: Access;
  /** A subset of what the access allows; absent means all of it. */
  readonly scopes?: readonly string[] | undefined;
  readonly expiresAt?: number | null | undefined;
  /** The knowledge bases that it can reach; absent or null: all that its user can. */
  readonly knowledgeBaseIds?: readonly number[] | null | undefined;
}

export interface CreatedToken {
  /** The full value, available only now. */
  readonly token: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
}

export async function createToken(tx: Tx, input: NewToken): Promise<CreatedToken> {
  const token = TOKEN_PREFIX + newSecret();
  const tokenId = newId("tok");
  const scopes = chosenScopes(input.access, input.scopes);
  const expiresAt = input.expiresAt ?? null;
  await insertToken(tx, {
    id: tokenId,
    workspace_id: input.workspaceId,
    user_id: input.userId,
    name: input.name,
    token_hash: hashSecret(token),
    access: input.access,
    scopes: scopes.join(" "),
    created_at: Date.now(),
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
    last_client: null,
    knowledge_base_ids: input.knowledgeBaseIds?.join(" ") ?? null,
  });
  return { token, tokenId, scopes, expiresAt };
}

export function chosenScopes(access: Access, wanted: readonly string[] | undefined): readonly Scope[] {
  if (!wanted || wanted.length === 0) return scopesOf[access];
  const allowed: readonly Scope[] = access === "read_write" ? allScopes : scopesOf[access];
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown !== undefined)
    throw new AccountError(`${unknown} is not a scope; the scopes are ${allScopes.join(", ")}.`);
  const beyond = wanted.find((scope) => !allowed.some((one) => one === scope));
  if (beyond !== undefined) throw new AccountError(`${beyond} goes beyond ${access}.`);
  return allScopes.filter((scope) => wanted.includes(scope));
}
