import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";

/** Ports above 1023 used by other protocols than HTTP that a POST could affect (the list that browsers block). */
const otherProtocols = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const isHttpPort = (port: number): boolean => port === 80 || port === 443 || (port > 1023 && !otherProtocols.has(port));

/** The host without the brackets of an IPv6 address. The URL parser has normalised unusual forms of addresses. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Characters that the URL parser would silently remove or replace. */
const isOdd = (text: string): boolean => /[\s\p{Cc}]/u.test(text) || !text.isWellFormed();

/** Returns why an address cannot be a webhook's target, as far as its text shows; undefined if it can. */
export function targetProblem(text: string, mayReach: AddressPolicy): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || isOdd(text) || !/^https?:$/.test(url.protocol)) return "must be an http or https address";
  if (url.username || url.password) return "must not hold a user or password";
  if (text.includes("#")) return "must not have a fragment";
  if (url.port !== "" && !isHttpPort(Number(url.port)))
    return "must have port 80, 443 or one from 1024 that is not another protocol's";
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host)) return "must not name an address that is not public";
  if (/(^|\.)localhost\.?$/i.test(host) && !mayReach("127.0.0.1")) return "must not name this machine";
  return undefined;
}
