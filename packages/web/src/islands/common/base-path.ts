/** The path below which the service is served, without a slash at its end: it is read from the link to the start page. */
const basePath = new URL(
  document.querySelector<HTMLAnchorElement>("a.brand")?.href ?? "/",
  location.href,
).pathname.replace(/\/$/, "");

/** A path of ours as an address of this site. */
export const at = (path: string): string => basePath + path;

/** Where this page is, as a path of ours. */
export const here = (): string => location.pathname.slice(basePath.length);
