/**
 * Schemes of well-known programs. Any other scheme must be a reversed domain name (RFC 8252, 7.1): the operating system
 * passes schemes without a dot, such as `ms-msdt:` or `feed:`, to programs that do not expect a code.
 */
const KNOWN_PROGRAMS = new Set(
  ["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed", "claude", "raycast", "warp", "goose"].map(
    (name) => `${name}:`,
  ),
);
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_LENGTH = 2000;

/** A program on the person's own machine, with any free port (RFC 8252). */
export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK.has(url.hostname);

/** The reason why an address must not receive a code; undefined if it may. */
export function redirectProblem(text: string): string | undefined {
  const url = text.length <= MAX_LENGTH ? URL.parse(text) : null;
  if (!url) return "is not an address";
  if (/[\s\\]/.test(text)) return "has spaces or backslashes";
  if (url.hash !== "" || text.includes("#")) return "has a fragment";
  if (url.username !== "" || url.password !== "") return "has a user name or password";
  if (url.protocol === "https:" || isLoopback(url)) return undefined;
  if (url.protocol === "http:") return "is http: and not on the person's own machine";
  if (PRIVATE_USE.test(url.protocol) || KNOWN_PROGRAMS.has(url.protocol)) return undefined;
  return `has the scheme ${url.protocol}; a program's own scheme is a reversed domain name, such as com.example.app:`;
}

const withoutPort = (url: URL): string => {
  const copy = new URL(url);
  copy.port = "";
  return copy.href;
};

/** Requires an exact match with a registered address; on loopback, any port matches. */
export function matchesRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  const url = URL.parse(given);
  if (!url || !isLoopback(url) || redirectProblem(given) !== undefined) return false;
  return registered.some((text) => {
    const known = URL.parse(text);
    return known !== null && isLoopback(known) && withoutPort(known) === withoutPort(url);
  });
}

/** Source for the content security policy of the consent form: the origin of the address, or its custom scheme. */
export function redirectSource(uri: string): string {
  const url = new URL(uri);
  return url.protocol === "http:" || url.protocol === "https:" ? url.origin : url.protocol;
}
