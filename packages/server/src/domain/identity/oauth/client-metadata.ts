import { isRecord } from "@svc/document/guards";
import { OAuthError } from "./oauth-error.ts";
import { redirectProblem } from "./redirect-uri.ts";

/** A program's metadata: only what the person is shown and its redirect addresses. */
export interface ClientMetadata {
  readonly name: string;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
}

const MAX_REDIRECTS = 20;
const MAX_NAME = 200;

const wrong = (message: string, code = "invalid_client_metadata"): OAuthError => new OAuthError(code, message);

/** Reads the fields of RFC 7591; ignores unknown ones, as the RFC requires. */
export function readClientMetadata(given: unknown, defaultName: string): ClientMetadata {
  if (!isRecord(given)) throw wrong("Send a JSON object.");
  const fields = given;
  refuseOtherFlows(fields);
  return {
    name: readName(fields.client_name, defaultName),
    uri: readUri(fields.client_uri),
    redirectUris: readRedirects(fields),
  };
}

function readRedirects({ redirect_uris }: Record<string, unknown>): string[] {
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS)
    throw wrong(`redirect_uris is a list of 1 to ${MAX_REDIRECTS} addresses.`, "invalid_redirect_uri");
  return redirect_uris.map((uri) => {
    const problem = typeof uri === "string" ? redirectProblem(uri) : "is not text";
    if (problem !== undefined) throw wrong(`A redirect address ${problem}.`, "invalid_redirect_uri");
    return String(uri);
  });
}

function readName(name: unknown, defaultName: string): string {
  if (name === undefined || name === null) return defaultName;
  const trimmed = typeof name === "string" ? name.trim() : "";
  if (!/^[^\p{Cc}]{1,200}$/u.test(trimmed))
    throw wrong(`client_name has 1 to ${MAX_NAME} characters and no control characters.`);
  return trimmed;
}

function readUri(uri: unknown): string | null {
  if (uri === undefined || uri === null) return null;
  const url = typeof uri === "string" && uri.length <= 2000 ? URL.parse(uri) : null;
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

/** Refuses a program that supports only unsupported flows, now rather than at its first request. */
function refuseOtherFlows({ response_types, grant_types }: Record<string, unknown>): void {
  const lacks = (list: unknown, value: string) => Array.isArray(list) && !list.includes(value);
  if (lacks(response_types, "code")) throw wrong("The only response type here is code.");
  if (lacks(grant_types, "authorization_code")) throw wrong("grant_types must contain authorization_code.");
}
