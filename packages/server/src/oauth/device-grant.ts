import { type Scope, scopes } from "../http/callers/scopes.ts";
import { DEVICE_GRANT } from "./metadata.ts";

/** A request and an answer of OAuth in terms of the API's device login: the same login in the clothes of RFC 8628. */

type Form = URLSearchParams;

const GRANTS = ["authorization_code", "refresh_token", DEVICE_GRANT];

/** A refusal in OAuth's form. */
interface OAuthRefusal {
  readonly error: string;
  readonly error_description: string;
}

const refusal = (error: string, error_description: string): OAuthRefusal => ({ error, error_description });

/** What the form asks for: those of its scopes that we know, or everything where it names none. */
function scopesOf(form: Form): "read_write" | readonly Scope[] {
  const asked = (form.get("scope") ?? "").split(" ").filter(Boolean);
  return asked.length === 0 ? "read_write" : scopes.filter((scope) => asked.includes(scope));
}

/** The body for `POST /auth/device/code`. */
export function deviceCodeRequest(
  form: Form,
): OAuthRefusal | { client_name: string; scopes: "read_write" | readonly Scope[] } {
  const client = form.get("client_id")?.trim();
  if (!client) return refusal("invalid_request", "client_id is missing: send the name of your program.");
  const asked = scopesOf(form);
  if (asked.length === 0) return refusal("invalid_scope", `The scopes are ${scopes.join(" ")}.`);
  return { client_name: client, scopes: asked };
}

/** The body for `POST /auth/device/token`. */
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

/** The four states of a device login have the same names in both; the rest of our codes OAuth does not know. */
const SHARED = new Set(["authorization_pending", "slow_down", "expired_token", "access_denied", "invalid_request"]);

/** What OAuth has another name for: as for programs that come with a code, a person with too many tokens gives none. */
const RENAMED: Readonly<Record<string, string>> = { quota_exceeded: "access_denied" };

const TOKEN_FIELDS = ["access_token", "token_type", "expires_in", "scope"];

/** The API's answer as OAuth wants it: without an envelope, and with nothing that it has no name for. */
export function oauthAnswer({ data, error }: ApiAnswer): Record<string, unknown> {
  if (error) {
    const code = RENAMED[error.code] ?? error.code;
    return { ...refusal(SHARED.has(code) ? code : "temporarily_unavailable", error.message) };
  }
  if (!data || !("access_token" in data)) return { ...data };
  return Object.fromEntries(TOKEN_FIELDS.map((name) => [name, data[name]]));
}
