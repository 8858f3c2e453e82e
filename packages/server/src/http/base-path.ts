import type { Config } from "../config.ts";

/** The path of the public address, which a proxy in front puts before all of this server's paths; usually empty. */
export const basePathOf = ({ baseUrl }: Pick<Config, "baseUrl">): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");

/** A path as the routes expect it, whether the proxy removed the base path or not. */
export function withoutBasePath(base: string, path: string): string {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || rest.startsWith("?") ? `/${rest}` : path;
}

const isOurs = (address: string): boolean => address.startsWith("/") && !address.startsWith("//");

/** One of this server's addresses as the browser must request it. */
export const withBasePath = (base: string, address: string): string => (isOurs(address) ? base + address : address);

/** Attributes that hold addresses. Quotes in values and texts are escaped, so nothing else can match. */
const ADDRESSES = /( (?:href|src|action|formaction|data-href|data-src)=")(?=\/(?!\/))/g;

/** A page with its addresses under the base path. */
export const pageWithBasePath = (base: string, page: string): string =>
  page.replace(ADDRESSES, (start) => start + base).replace("<html ", `<html data-base="${base}" `);
