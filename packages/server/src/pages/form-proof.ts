import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The token that our forms carry: bound to the session (or, before there is one, to the visitor's cookie). */
export const formToken = (secret: string, boundTo: string): string =>
  createHmac("sha256", secret).update(`form:${boundTo}`).digest("base64url");

export function isFormToken(secret: string, boundTo: string, given: string | null): boolean {
  const expected = Buffer.from(formToken(secret, boundTo));
  const actual = Buffer.from(given ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * The browser says that one of our own pages sent this. `Sec-Fetch-Site` cannot be forged by a page; browsers without
 * it send `Origin` with every POST. A program that sends neither still needs the form token.
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
