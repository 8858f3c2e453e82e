export interface CookieOptions {
  readonly secure: boolean;
  /** Seconds; without it the cookie ends with the browser. */
  readonly maxAge?: number;
}

/** Behind TLS the prefix makes the browser refuse the cookie from any other host, path or plain connection. */
const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

export function writeCookie(name: string, value: string, { secure, maxAge }: CookieOptions): string {
  const life = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}${life}`;
}

/** The value of one cookie; of the first, when it is sent twice. */
export function readCookie(header: string | undefined, name: string, secure: boolean): string | undefined {
  const wanted = `${cookieName(name, secure)}=`;
  const pair = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(wanted));
  const value = pair?.slice(wanted.length);
  return value && /^[\w-]{1,200}$/.test(value) ? value : undefined;
}
