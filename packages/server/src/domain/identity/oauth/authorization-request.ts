import { defined } from "@svc/document/defined";
import type { Access } from "../../../db/schema/tables/accounts.ts";
import { scopes as allScopes, isScope, type Scope, scopesOf } from "../../../http/callers/scopes.ts";
import type { KnownClient } from "./known-client.ts";
import { OAuthError } from "./oauth-error.ts";
import { matchesRedirect } from "./redirect-uri.ts";

/** A valid request that can be shown to the person for consent. */
export interface AuthorizationRequest {
  readonly client: KnownClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
}

/** The program's redirect address; undefined if the request names one that is not registered. */
export function redirectOf(client: KnownClient, query: URLSearchParams): string | undefined {
  const given = query.getAll("redirect_uri");
  const [only, ...others] = client.redirectUris;
  if (given.length === 0) return others.length === 0 ? only : undefined;
  return given.length === 1 && matchesRedirect(client.redirectUris, defined(given[0])) ? given[0] : undefined;
}

const SINGLE = ["response_type", "client_id", "state", "code_challenge", "code_challenge_method", "scope"];

/** Validates the rest of the request; throws OAuth errors, which are sent to the program. */
export function readAuthorizationRequest(
  client: KnownClient,
  redirectUri: string,
  query: URLSearchParams,
  base: string,
): AuthorizationRequest {
  const twice = SINGLE.find((name) => query.getAll(name).length > 1);
  if (twice) throw new OAuthError("invalid_request", `Parameter ${twice} must not be repeated.`);
  if (query.has("request") || query.has("request_uri"))
    throw new OAuthError(
      query.has("request") ? "request_not_supported" : "request_uri_not_supported",
      "Send plain parameters.",
    );
  const type = query.get("response_type");
  if (!type) throw new OAuthError("invalid_request", "response_type is missing: send code.");
  if (type !== "code") throw new OAuthError("unsupported_response_type", "The only response type here is code.");
  return {
    client,
    redirectUri,
    state: query.get("state"),
    challenge: readChallenge(query),
    scopes: readScope(query.get("scope")),
    resource: readResource(query, base),
  };
}

function readChallenge(query: URLSearchParams): string {
  const challenge = query.get("code_challenge");
  if (!challenge) throw new OAuthError("invalid_request", "code_challenge is missing: PKCE is required.");
  if (query.get("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge is not the base64url form of a SHA-256.");
  return challenge;
}

/** The known scopes; all if none are named. */
export function readScope(text: string | null): readonly Scope[] {
  const asked = (text ?? "").split(" ").filter(Boolean);
  if (asked.length === 0) return scopesOf.read_write;
  const known = allScopes.filter((scope) => asked.some((one) => isScope(one) && one === scope));
  if (known.length === 0) throw new OAuthError("invalid_scope", `The scopes are ${allScopes.join(" ")}.`);
  return known;
}

/** RFC 8707: every named resource must be this service, which is a single resource. */
export function readResource(query: URLSearchParams, base: string): string {
  const ours = [base, `${base}/`, `${base}/mcp`, `${base}/mcp/`, `${base}/api/v1`].map(canonical);
  const other = query.getAll("resource").find((resource) => !ours.includes(canonical(resource)));
  if (other !== undefined) throw new OAuthError("invalid_target", `The resource here is ${base}/mcp.`);
  return `${base}/mcp`;
}

/** Lower-cases scheme and host, as other software may do; an address with a fragment is not a valid resource. */
const canonical = (resource: string): string => (resource.includes("#") ? "" : (URL.parse(resource)?.href ?? ""));

/**
 * The scopes that the person grants: never more than requested. A program that requested write access may be granted
 * suggest access instead, because writing includes it.
 */
export function grantableScopes(asked: readonly Scope[], access: Access): readonly Scope[] {
  if (access === "read_write") return asked;
  const suggests = access === "suggest" && asked.includes("documents:write");
  return allScopes.filter(
    (scope) =>
      scopesOf[access].includes(scope) && (asked.includes(scope) || (suggests && scope === "documents:suggest")),
  );
}

/** The access level of these scopes. */
export const accessOf = (granted: readonly string[]): Access =>
  (["read_only", "suggest"] as const).find((access) =>
    granted.every((scope) => scopesOf[access].some((given) => given === scope)),
  ) ?? "read_write";

/** The redirect address with the response to the program. */
export function answerUrl(redirectUri: string, fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== null);
  const added = new URLSearchParams(given).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${added}`;
}
