import type { Config } from "../config.ts";

/** The path of the public address: what a proxy in front has before every path of ours; empty for most. */
export const basePathOf = ({ baseUrl }: Pick<Config, "baseUrl">): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");

/** A path as our routes know it, whether the proxy took the base path away or not. */
export function withoutBasePath(base: string, path: string): string {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || rest.startsWith("?") ? `/${rest}` : path;
}

const isOurs = (address: string): boolean => address.startsWith("/") && !address.startsWith("//");

/** An address of ours as the browser must ask for it. */
export const withBasePath = (base: string, address: string): string => (isOurs(address) ? base + address : address);

/** Attributes that hold addresses. Values and texts have their quotes escaped, so nothing else looks like one. */
const ADDRESSES = /( (?:href|src|action|formaction|data-href|data-src)=")(?=\/(?!\/))/g;

/** A page whose addresses lead to where the browser finds us. */
export const pageWithBasePath = (base: string, page: string): string =>
  page.replace(ADDRESSES, (start) => start + base).replace("<html ", `<html data-base="${base}" `);
