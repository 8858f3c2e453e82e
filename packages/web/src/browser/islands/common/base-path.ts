/** The base path of the service without a trailing slash, read from the link to the start page. */
const basePath = new URL(
  document.querySelector<HTMLAnchorElement>("a.brand")?.href ?? "/",
  location.href,
).pathname.replace(/\/$/, "");

/** A path of ours as an address of this site. */
export const at = (path: string): string => basePath + path;

/** This page's address as a path of ours. */
export const here = (): string => location.pathname.slice(basePath.length);
