/** The scope of a cookie. */
export interface CookieScope {
  readonly secure: boolean;
  /** The path of a service that is not at the root of its host. */
  readonly basePath?: string;
}

interface CookieOptions extends CookieScope {
  /** In seconds; without it the cookie ends with the browser session. */
  readonly maxAge?: number;
}

/**
 * Behind TLS the prefix makes the browser refuse the cookie from other hosts, other paths and plain connections. A
 * cookie with a path of its own must not use the prefix for the whole host.
 */
const cookieName = (name: string, { secure, basePath }: CookieScope): string =>
  secure ? `${basePath ? "__Secure-" : "__Host-"}${name}` : name;

export function writeCookie(name: string, value: string, { maxAge, ...scope }: CookieOptions): string {
  const life = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  const secure = scope.secure ? "; Secure" : "";
  return `${cookieName(name, scope)}=${value}; Path=${scope.basePath || "/"}; HttpOnly; SameSite=Lax${secure}${life}`;
}

/** The value of a cookie; the first one if it was sent twice. */
export function readCookie(header: string | undefined, name: string, scope: CookieScope): string | undefined {
  const wanted = `${cookieName(name, scope)}=`;
  const pair = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(wanted));
  const value = pair?.slice(wanted.length);
  return value && /^[\w-]{1,200}$/.test(value) ? value : undefined;
}
