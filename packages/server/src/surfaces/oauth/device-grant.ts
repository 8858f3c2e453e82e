import { type Scope, scopes } from "../../http/callers/scopes.ts";
import { DEVICE_GRANT } from "./metadata.ts";

/** Translates OAuth requests and responses (RFC 8628) to the API's device login. */

type Form = URLSearchParams;

const GRANTS = ["authorization_code", "refresh_token", DEVICE_GRANT];

/** A refusal in OAuth's format. */
interface OAuthRefusal {
  readonly error: string;
  readonly error_description: string;
}

const refusal = (error: string, error_description: string): OAuthRefusal => ({ error, error_description });

/** The requested scopes that we know; everything if the form names none. */
function scopesOf(form: Form): "read_write" | readonly Scope[] {
  const asked = (form.get("scope") ?? "").split(" ").filter(Boolean);
  return asked.length === 0 ? "read_write" : scopes.filter((scope) => asked.includes(scope));
}

/** The request body for `POST /auth/device/code`. */
export function deviceCodeRequest(
  form: Form,
): OAuthRefusal | { client_name: string; scopes: "read_write" | readonly Scope[] } {
  const client = form.get("client_id")?.trim();
  if (!client) return refusal("invalid_request", "client_id is missing: send the name of your program.");
  const asked = scopesOf(form);
  if (asked.length === 0) return refusal("invalid_scope", `The scopes are ${scopes.join(" ")}.`);
  return { client_name: client, scopes: asked };
}

/** The request body for `POST /auth/device/token`. */
export function tokenRequest(form: Form): OAuthRefusal | { device_code: string } {
  const type = form.get("grant_type");
  if (!type) return refusal("invalid_request", `grant_type is missing: send ${GRANTS.join(" or ")}.`);
  if (type !== DEVICE_GRANT) return refusal("unsupported_grant_type", `The grant types here are ${GRANTS.join(", ")}.`);
  const code = form.get("device_code");
  return code ? { device_code: code } : refusal("invalid_request", "device_code is missing.");
}

interface ApiAnswer {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Codes of a device login that are the same in OAuth. OAuth does not know our other codes. */
const SHARED = new Set(["authorization_pending", "slow_down", "expired_token", "access_denied", "invalid_request"]);

/** Codes with another name in OAuth. As in the code flow, a person with too many tokens cannot grant one. */
const RENAMED: Readonly<Record<string, string>> = { quota_exceeded: "access_denied" };

const TOKEN_FIELDS = ["access_token", "token_type", "expires_in", "scope"];

/** The API's answer in OAuth's format: without an envelope, and without codes that OAuth does not define. */
export function oauthAnswer({ data, error }: ApiAnswer): Record<string, unknown> {
  if (error) {
    const code = RENAMED[error.code] ?? error.code;
    return { ...refusal(SHARED.has(code) ? code : "temporarily_unavailable", error.message) };
  }
  if (!data || !("access_token" in data)) return { ...data };
  return Object.fromEntries(TOKEN_FIELDS.map((name) => [name, data[name]]));
}
