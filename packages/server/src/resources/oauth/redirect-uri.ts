/** Schemes that run or show something in the browser instead of handing over to a program. */
const FORBIDDEN = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "file:",
  "blob:",
  "about:",
  "filesystem:",
  "view-source:",
]);
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const MAX_LENGTH = 2000;

/** A program on the person's own machine: its port is whichever was free (RFC 8252). */
export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK.has(url.hostname);

/** Why nobody may be sent there with a code, or undefined. */
export function redirectProblem(text: string): string | undefined {
  const url = text.length <= MAX_LENGTH ? URL.parse(text) : null;
  if (!url) return "is not an address";
  if (/[\s\\]/.test(text)) return "has spaces or backslashes";
  if (url.hash !== "" || text.includes("#")) return "has a fragment";
  if (url.username !== "" || url.password !== "") return "has a user name or password";
  if (FORBIDDEN.has(url.protocol)) return `has the scheme ${url.protocol}`;
  if (url.protocol === "http:" && !isLoopback(url)) return "is http: and not on the person's own machine";
  return undefined;
}

const withoutPort = (url: URL): string => {
  const copy = new URL(url);
  copy.port = "";
  return copy.href;
};

/** Exactly one of those that were registered; on loopback with any port. */
export function matchesRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  const url = URL.parse(given);
  if (!url || !isLoopback(url) || redirectProblem(given) !== undefined) return false;
  return registered.some((text) => {
    const known = URL.parse(text);
    return known !== null && isLoopback(known) && withoutPort(known) === withoutPort(url);
  });
}

/** For the content policy of the page whose form leads there: its origin, or the scheme of a program. */
export function redirectSource(uri: string): string {
  const url = new URL(uri);
  return url.protocol === "http:" || url.protocol === "https:" ? url.origin : url.protocol;
}
