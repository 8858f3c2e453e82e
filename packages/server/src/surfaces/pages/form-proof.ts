import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type ServerSecret, validSecrets } from "../../http/server-secret.ts";

/** The token in our forms: bound to the session, or to the visitor's cookie before there is one. */
export const formToken = ({ current }: Pick<ServerSecret, "current">, boundTo: string): string =>
  createHmac("sha256", current).update(`form:${boundTo}`).digest("base64url");

export function isFormToken(secret: ServerSecret, boundTo: string, given: string | null): boolean {
  const actual = Buffer.from(given ?? "");
  return validSecrets(secret).some((current) => {
    const expected = Buffer.from(formToken({ current }, boundTo));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}

/**
 * Whether the browser confirms that one of our own pages sent this. A page cannot forge `Sec-Fetch-Site`; browsers
 * without it send `Origin` with every POST. A program that sends neither still needs the form token.
 */
export function isFromHere(headers: IncomingHttpHeaders, host: string, baseUrl: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host || (baseUrl !== undefined && from.origin === new URL(baseUrl).origin);
}
