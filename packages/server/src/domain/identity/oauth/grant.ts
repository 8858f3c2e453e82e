import { createHash } from "node:crypto";
import type { Tx } from "../../../db/database.ts";
import type { OAuthCodeRow } from "../../../db/schema/tables/oauth.ts";
import { ApiError } from "../../../errors.ts";
import { hashSecret, TOKEN_PREFIX } from "../../../http/callers/authenticate.ts";
import type { Scope } from "../../../http/callers/scopes.ts";
import { newSecret } from "../../../ids.ts";
import { parseBound } from "../../../rights/load-rights.ts";
import { DAY_MS, HOUR_MS } from "../../../time.ts";
import { findActiveRole } from "../members/queries.ts";
import { checkTokenQuota } from "../tokens/check-token-quota.ts";
import { createToken } from "../tokens/create-token.ts";
import { revokeToken } from "../tokens/queries.ts";
import { type AuthorizationRequest, accessOf, readScope } from "./authorization-request.ts";
import { OAuthError } from "./oauth-error.ts";
import {
  deleteCodesBefore,
  deleteRefreshTokensBefore,
  findGrant,
  insertCode,
  insertGrant,
  insertRefreshToken,
  lockCode,
  lockRefreshToken,
  updateAccess,
  updateClientUse,
  updateCodeUsed,
  updateGrantExpiry,
  updateRefreshUsed,
} from "./queries.ts";

const REFRESH_PREFIX = "svc_ref_";
const CODE_MS = 60_000;
const ACCESS_MS = 60 * 60 * 1000;
/** How long used codes and refresh tokens are kept, to detect reuse. */
const CODE_KEPT_MS = HOUR_MS;
const REFRESH_KEPT_MS = 7 * DAY_MS;

/** A successful response of the token endpoint. */
interface Given {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly scopes: readonly string[];
}

/** A code or refresh token was used twice: somebody else has it too, so the connection ends. */
interface Reused {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
}

export type Outcome = { readonly given: Given } | { readonly reused: Reused };

interface Granting {
  readonly userId: string;
  readonly workspaceId: string;
  readonly scopes: readonly Scope[];
  /** The knowledge bases that the program can reach; null: all that the person can. */
  readonly knowledgeBaseIds: readonly number[] | null;
}

/** Issues the code that the program exchanges once, within a minute. */
export async function issueCode(tx: Tx, request: AuthorizationRequest, by: Granting): Promise<string> {
  const code = newSecret();
  const now = Date.now();
  await deleteCodesBefore(tx, now - CODE_KEPT_MS);
  await updateClientUse(tx, request.client.id, now);
  await insertCode(tx, {
    code_hash: hashSecret(code),
    client_id: request.client.id,
    client_name: request.client.name,
    client_uri: request.client.uri,
    redirect_uri: request.redirectUri,
    challenge: request.challenge,
    scopes: by.scopes.join(" "),
    resource: request.resource,
    user_id: by.userId,
    workspace_id: by.workspaceId,
    knowledge_base_ids: by.knowledgeBaseIds?.join(" ") ?? null,
    expires_at: now + CODE_MS,
    used_at: null,
    token_id: null,
  });
  return code;
}

function tooManyTokens(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "quota_exceeded") throw error;
  throw new OAuthError(
    "access_denied",
    `This person has ${error.details.limit} tokens and connected programs in this workspace, as many as may be: end one first.`,
  );
}

const invalidGrant = (message: string): OAuthError => new OAuthError("invalid_grant", message);

interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | null;
  readonly verifier: string;
  readonly refreshDays: number;
  readonly maxTokens: number;
}

/** Exchanges a code for a connection. A code that was already used ends its connection. */
export async function exchangeCode(tx: Tx, exchange: CodeExchange): Promise<Outcome> {
  const now = Date.now();
  const codeHash = hashSecret(exchange.code);
  const row = await lockCode(tx, codeHash);
  if (!row || row.client_id !== exchange.clientId) throw invalidGrant("This code was not given to this program.");
  if (row.used_at !== null) return endConnection(tx, row.token_id, "This code was used before.");
  if (row.expires_at <= now) throw invalidGrant("The authorization code has expired.");
  if (exchange.redirectUri !== null && exchange.redirectUri !== row.redirect_uri)
    throw invalidGrant("redirect_uri is not the one that the code was asked for with.");
  if (createHash("sha256").update(exchange.verifier).digest("base64url") !== row.challenge)
    throw invalidGrant("code_verifier does not fit the code_challenge.");
  if (!(await findActiveRole(tx, row.workspace_id, row.user_id)))
    throw invalidGrant("The person who agreed is no longer there.");
  await checkTokenQuota(tx, row.user_id, row.workspace_id, exchange.maxTokens).catch(tooManyTokens);
  const { given, tokenId } = await connect(tx, row, exchange.refreshDays, now);
  await updateCodeUsed(tx, codeHash, tokenId, now);
  return { given };
}

async function connect(tx: Tx, row: OAuthCodeRow, refreshDays: number, now: number) {
  const scopes = row.scopes.split(" ");
  const { token, tokenId } = await createToken(tx, {
    userId: row.user_id,
    workspaceId: row.workspace_id,
    name: row.client_name,
    access: accessOf(scopes),
    scopes,
    expiresAt: now + ACCESS_MS,
    knowledgeBaseIds: parseBound(row.knowledge_base_ids),
  });
  const expiresAt = now + Math.round(refreshDays * DAY_MS);
  const { client_id, client_uri, resource } = row;
  await insertGrant(tx, {
    token_id: tokenId,
    client_id,
    client_uri,
    scopes: row.scopes,
    resource,
    expires_at: expiresAt,
  });
  const refreshToken = await newRefreshToken(tx, tokenId, expiresAt);
  return { tokenId, given: { accessToken: token, refreshToken, expiresIn: ACCESS_MS / 1000, scopes } };
}

async function newRefreshToken(tx: Tx, tokenId: string, expiresAt: number): Promise<string> {
  const refreshToken = REFRESH_PREFIX + newSecret();
  await insertRefreshToken(tx, hashSecret(refreshToken), tokenId, expiresAt);
  return refreshToken;
}

interface Refresh {
  readonly refreshToken: string;
  readonly clientId: string | null;
  readonly scope: string | null;
  readonly refreshDays: number;
}

/**
 * Issues a new access token and refresh token; the previous ones expire. Reuse of a refresh token ends the connection.
 */
export async function refreshAccess(tx: Tx, refresh: Refresh): Promise<Outcome> {
  const now = Date.now();
  const hash = hashSecret(refresh.refreshToken);
  const row = await lockRefreshToken(tx, hash);
  if (!row || (refresh.clientId !== null && row.client_id !== refresh.clientId))
    throw invalidGrant("This refresh token was not given to this program.");
  if (row.revoked_at !== null) throw invalidGrant("The program was disconnected.");
  if (row.used_at !== null) return endConnection(tx, row.token_id, "This refresh token was used before.");
  if (row.refresh_expires_at <= now) throw invalidGrant("The refresh token has expired.");
  if (!(await findActiveRole(tx, row.workspace_id, row.user_id)))
    throw invalidGrant("The person has no access any more.");
  const scopes = narrowed(row.scopes.split(" "), refresh.scope);
  const expiresAt = now + Math.round(refresh.refreshDays * DAY_MS);
  const accessToken = TOKEN_PREFIX + newSecret();
  await updateRefreshUsed(tx, hash, now);
  await deleteRefreshTokensBefore(tx, row.token_id, now - REFRESH_KEPT_MS);
  const access = { token_hash: hashSecret(accessToken), scopes: scopes.join(" "), expires_at: now + ACCESS_MS };
  await updateAccess(tx, row.token_id, access);
  await updateGrantExpiry(tx, row.token_id, expiresAt);
  const refreshToken = await newRefreshToken(tx, row.token_id, expiresAt);
  return { given: { accessToken, refreshToken, expiresIn: ACCESS_MS / 1000, scopes } };
}

function narrowed(granted: readonly string[], asked: string | null): readonly string[] {
  if (asked === null || asked.trim() === "") return granted;
  const wanted: readonly string[] = readScope(asked);
  const beyond = wanted.find((scope) => !granted.includes(scope));
  if (beyond !== undefined) throw new OAuthError("invalid_scope", `${beyond} goes beyond what was granted.`);
  return wanted;
}

async function endConnection(tx: Tx, tokenId: string | null, message: string): Promise<Outcome> {
  const grant = tokenId === null ? undefined : await findGrant(tx, tokenId);
  if (!grant) throw invalidGrant(message);
  await revokeToken(tx, grant.token_id, Date.now());
  const { token_id, workspace_id, user_id, name } = grant;
  return { reused: { tokenId: token_id, workspaceId: workspace_id, userId: user_id, name } };
}
