/** The servers in a PostgreSQL address: one, or several of which one accepts writes. */
interface DatabaseServers {
  /** An address for each server. They differ in host and port alone. */
  readonly urls: readonly [string, ...string[]];
  /** Only a server that accepts writes will do; a standby will not. */
  readonly mustWrite: boolean;
}

const PARTS = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/s;
const ATTRIBUTE = "target_session_attrs";
/** libpq's values; its other ones are for programs that only read. */
const KNOWN = ["any", "read-write", "primary"];

/** Parses `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`; undefined for any other text. */
export function parseDatabaseUrl(text: string): DatabaseServers | undefined {
  const { start, hosts, rest } = PARTS.exec(text)?.groups ?? {};
  if (start === undefined || hosts === undefined || rest === undefined) return undefined;
  const urls: string[] = [];
  let wanted = "any";
  for (const host of hosts.split(",")) {
    const single = `${start}${host}${rest}`;
    if (!URL.canParse(single) || (host === "" && hosts !== "")) return undefined;
    const url = new URL(single);
    const attribute = url.searchParams.get(ATTRIBUTE);
    if (attribute === null) {
      urls.push(single);
      continue;
    }
    if (!KNOWN.includes(attribute)) return undefined;
    wanted = attribute;
    url.searchParams.delete(ATTRIBUTE);
    urls.push(url.href);
  }
  const [first, ...others] = urls;
  // With several servers a reader could use any that answers, but this server writes.
  return first === undefined
    ? undefined
    : { urls: [first, ...others], mustWrite: others.length > 0 || wanted !== "any" };
}
