import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import { Cache } from "../../cache/cache.ts";
import { GroupedCache } from "../../cache/grouped-cache.ts";
import { isUnchanged } from "../../db/changed-columns.ts";
import type { Database } from "../../db/database.ts";
import type { Access, Role } from "../../db/schema/tables/accounts.ts";
import { statement } from "../../db/statement/statement.ts";
import { type ApiError, apiError } from "../../errors.ts";
import { loadRights, needsRights, parseBound, type Subject } from "../../rights/load-rights.ts";
import type { Rights } from "../../rights/rights.ts";
import type { Route } from "../route.ts";
import type { Caller } from "./caller.ts";
import { isScope, type Scope } from "./scopes.ts";

export const TOKEN_PREFIX = "svc_tok_";

export const hashSecret = (secret: string): string => hash("sha256", secret, "hex");

interface CallerRow {
  id: string;
  name: string;
  access: Access;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  user_id: string;
  email: string;
  user_name: string;
  workspace_id: string;
  workspace_name: string;
  role: Role;
  rights_version: number;
  knowledge_base_ids: string | null;
}

const callerByHash = statement<{ tokenHash: string }, CallerRow>({
  select: `t.token_hash, t.id, t.name, t.access, t.scopes, t.created_at, t.expires_at, t.revoked_at,
    u.id as user_id, u.email, u.name as user_name, w.id as workspace_id, w.name as workspace_name, m.role,
    w.rights_version, t.knowledge_base_ids`,
  from: `tokens t
    join users u on u.id = t.user_id and u.disabled_at is null
    join workspaces w on w.id = t.workspace_id
    join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id`,
  key: { tokenHash: "t.token_hash" },
});

const callerOf = (row: CallerRow, rights: Rights | undefined): Caller => ({
  isSession: false,
  tokenId: row.id,
  tokenName: row.name,
  access: row.access,
  scopes: row.scopes.split(" ").filter(isScope),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  userId: row.user_id,
  email: row.email,
  userName: row.user_name,
  workspaceId: row.workspace_id,
  workspaceName: row.workspace_name,
  role: row.role,
  rights,
  knowledgeBaseIds: parseBound(row.knowledge_base_ids),
});

const subjectOf = (row: CallerRow): Subject => ({
  workspaceId: row.workspace_id,
  userId: row.user_id,
  role: row.role,
  rightsVersion: row.rights_version,
  boundTo: parseBound(row.knowledge_base_ids),
});

/** The caller that a header identifies, or why it identifies none. */
export type Identity = { readonly caller: Caller } | { readonly refusal: ApiError };

export type Authenticate = (authorization: string | undefined) => Identity | Promise<Identity>;

/** By header: most headers come again and again. */
const TOKEN_HASHES = new Cache<string>("token_hashes", { share: 1 / 64 });

/** The hash of the token in a header, if there is one. */
function tokenHashOf(authorization: string): string | undefined {
  const cached = TOKEN_HASHES.get(authorization);
  if (cached !== undefined) return cached;
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token?.startsWith(TOKEN_PREFIX)) return undefined;
  const made = hashSecret(token);
  TOKEN_HASHES.put(authorization, made, 2 * made.length);
  return made;
}

interface FoundCaller {
  readonly row: CallerRow;
  readonly identity: Identity;
}

/** By token hash: the same object for as long as nothing about the caller has changed. */
const CALLERS = new GroupedCache<FoundCaller>("callers", () => CALLER_BYTES, { share: 1 / 64 });
/** Estimated bytes of a caller in memory. */
const CALLER_BYTES = 2000;
let authenticators = 0;

const refusalOf = (row: CallerRow | undefined): ApiError | undefined => {
  if (!row) return apiError("token_invalid");
  if (row.revoked_at !== null) return apiError("token_revoked");
  return row.expires_at !== null && row.expires_at <= Date.now() ? apiError("token_expired") : undefined;
};

const isSame = (a: CallerRow, b: CallerRow): boolean => a === b || isUnchanged(a, b);

/** Looks a token up by its hash on every request, so that a revocation anywhere takes effect at once. */
export function authenticator(database: Database): Authenticate {
  /** Separates the callers of two databases: one may be a copy of the other. */
  const group = ++authenticators;
  const identify = (tokenHash: string, row: CallerRow | undefined): Identity | Promise<Identity> => {
    const refusal = refusalOf(row);
    if (refusal || !row) {
      CALLERS.delete(group, tokenHash);
      return { refusal: defined(refusal) };
    }
    const cached = CALLERS.get(group, tokenHash);
    if (cached && isSame(cached.row, row)) return cached.identity;
    const subject = subjectOf(row);
    const note = (rights: Rights | undefined): Identity => {
      const identity = { caller: callerOf(row, rights) };
      CALLERS.put(group, tokenHash, { row, identity });
      return identity;
    };
    return needsRights(subject) ? loadRights(database.read, subject).then(note) : note(undefined);
  };
  return (authorization) => {
    if (authorization === undefined) return { refusal: apiError("token_missing") };
    const tokenHash = tokenHashOf(authorization);
    if (tokenHash === undefined) return { refusal: apiError("token_invalid") };
    const row = callerByHash(database.read, { tokenHash });
    return row instanceof Promise ? row.then((found) => identify(tokenHash, found)) : identify(tokenHash, row);
  };
}

/** Whether a write becomes a suggestion: because the request asks for it, or because the token allows nothing else. */
export const isSuggestion = (caller: Pick<Caller, "scopes">, query: unknown): boolean =>
  (isRecord(query) && query.mode === "suggest") || !caller.scopes.includes("documents:write");

/** Also names the missing scopes in the header (RFC 6750), so that a program can ask the person for more. */
const insufficientScope = (required: readonly Scope[]): ApiError =>
  apiError(
    "insufficient_scope",
    { required_scopes: required },
    { "www-authenticate": `Bearer error="insufficient_scope", scope="${required.join(" ")}"` },
  );

/** Returns the caller if they may use this route; throws otherwise. */
export function authorise(route: Route, identity: Identity, query: unknown = {}): Caller {
  if ("refusal" in identity) throw identity.refusal;
  const { caller } = identity;
  if (route.scopes !== "public") {
    const talks = route.discusses || (route.suggestible && isSuggestion(caller, query));
    const isOpen = (scope: Scope) =>
      caller.scopes.includes(scope) ||
      (talks && scope === "documents:write" && caller.scopes.includes("documents:suggest"));
    if (!route.scopes.every(isOpen)) throw insufficientScope(route.scopes);
    // If roles differ between knowledge bases, the policy checks the role in the one that the request is about.
    if (route.kind === "write" && caller.role === "viewer" && !caller.rights && !talks && !route.personal)
      throw apiError("insufficient_role", { role: caller.role });
  }
  return caller;
}
