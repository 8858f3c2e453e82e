const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a page of this origin may use MCP here. The Host header proves nothing: a page whose name was rebound to this
 * server's address sends its own name in both headers. So the server's own origin is allowed only if a setting names
 * it.
 */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return LOOPBACK.has(url.hostname) || allowed.includes(url.origin);
}
