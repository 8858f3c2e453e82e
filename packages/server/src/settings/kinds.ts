import { isIP } from "node:net";
import { parseDatabaseUrl } from "./database-url.ts";

/** One SVC_ setting: its name in the environment, its meaning, and how its text becomes a value. */
export interface Setting<T> {
  readonly name: string;
  readonly shown: string;
  readonly meaning: string;
  readonly secret: boolean;
  readonly parse: (text: string | undefined) => T;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A text that is not a valid value; the message names the given value and the allowed ones. */
export class SettingError extends Error {}
export const refuse = (given: string, allowed: string): never => {
  throw new SettingError(`is ${JSON.stringify(given)}, allowed is ${allowed}`);
};

export const text = (name: string, fallback: string, meaning: string): Setting<string> => ({
  name,
  shown: fallback,
  meaning,
  secret: false,
  parse: (value) => value ?? fallback,
});

export const optional = (
  name: string,
  meaning: string,
  shown = "unset",
  secret = false,
): Setting<string | undefined> => ({
  name,
  shown,
  meaning,
  secret,
  parse: (value) => value,
});

export const url = (
  name: string,
  protocols: string[],
  meaning: string,
  shown = "unset",
  secret = false,
): Setting<string | undefined> => ({
  name,
  shown,
  meaning,
  secret,
  parse: (value) => {
    const allowed = `an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`;
    if (value !== undefined && !(URL.canParse(value) && protocols.includes(new URL(value).protocol)))
      refuse(secret ? "…" : value, allowed);
    return value;
  },
});

/** The address of PostgreSQL, which may name several servers. */
export const databaseAddress = (name: string, meaning: string, shown: string): Setting<string | undefined> => ({
  name,
  shown,
  meaning,
  secret: true,
  parse: (value) =>
    value === undefined || parseDatabaseUrl(value)
      ? value
      : refuse("…", "an address that begins with postgres:// or postgresql://, for a server that takes writes"),
});

/** The first path segments that the service itself uses. */
const TAKEN = new Set(["api", "api-docs", "app", "assets", "mcp", "oauth", "s", ".well-known"]);

/** The address at which people and programs reach the service, without a trailing slash. */
export const publicAddress = (name: string, meaning: string, shown: string): Setting<string | undefined> => {
  const setting = url(name, ["http:", "https:"], meaning, shown);
  return {
    ...setting,
    parse: (text) => {
      const value = setting.parse(text);
      if (value === undefined) return undefined;
      const { pathname, search, hash, username, password } = new URL(value);
      if (username + password !== "") refuse("…", "an address without a user and a password: it is shown to everybody");
      const isPlain = search === "" && hash === "" && /^[\w./~-]*$/.test(pathname) && !pathname.includes("//");
      if (!isPlain || TAKEN.has(pathname.split("/")[1] ?? ""))
        refuse(value, `an address without query, whose path does not begin with /${[...TAKEN].join(", /")}`);
      return value.replace(/\/+$/, "");
    },
  };
};

export const origins = (name: string, meaning: string): Setting<readonly string[]> => ({
  name,
  shown: "unset",
  meaning,
  secret: false,
  parse: (value = "") => {
    const given = value.split(",").map((each) => each.trim());
    const isOrigin = (each: string) => /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each;
    return given
      .filter(Boolean)
      .map((each) => (isOrigin(each) ? each : refuse(each, "origins such as https://example.com")));
  },
});

export const oneOf = <const T extends string>(
  name: string,
  values: readonly T[],
  fallback: T,
  meaning: string,
): Setting<T> => ({
  name,
  shown: fallback,
  meaning,
  secret: false,
  parse: (value) =>
    value === undefined ? fallback : (values.find((v) => v === value) ?? refuse(value, values.join(", "))),
});

/** Sessions hold prepared statements, settings and LISTEN, which a pooler in transaction mode would mix up. */
export const pooling = (name: string, meaning: string): Setting<"session"> => ({
  name,
  shown: "session",
  meaning,
  secret: false,
  parse: (value) =>
    value === undefined || value === "session"
      ? "session"
      : refuse(value, "session: the pooler must keep a connection for a whole session (pool_mode = session)"),
});

export const choice = <const T extends string>(
  name: string,
  values: readonly T[],
  meaning: string,
): Setting<T | undefined> => ({
  name,
  shown: "unset",
  meaning,
  secret: false,
  parse: (value) =>
    value === undefined ? undefined : (values.find((v) => v === value) ?? refuse(value, values.join(", "))),
});

export const number = (
  name: string,
  fallback: number,
  min: number,
  max: number,
  meaning: string,
  whole = true,
): Setting<number> => ({
  name,
  shown: String(fallback),
  meaning,
  secret: false,
  parse: (value) => {
    if (value === undefined) return fallback;
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    const fits = parsed >= min && parsed <= max && (!whole || Number.isInteger(parsed));
    return fits ? parsed : refuse(value, `${whole ? "a whole number" : "a number"} from ${min} to ${max}`);
  },
});

/** A whole number; undefined where `shown` describes the default. */
export const optionalNumber = (
  name: string,
  shown: string,
  min: number,
  max: number,
  meaning: string,
): Setting<number | undefined> => {
  const given = number(name, min, min, max, meaning);
  return { ...given, shown, parse: (value) => (value === undefined ? undefined : given.parse(value)) };
};

export const count = (name: string, fallback: number, meaning: string) => number(name, fallback, 1, 1e12, meaning);
export const days = (name: string, fallback: number, meaning: string, min = 0.00001) =>
  number(name, fallback, min, 36500, meaning, false);

/**
 * Loopback, private networks and shared address space. Does not include link-local addresses, at which clouds serve
 * keys.
 */
const PRIVATE_RANGES = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "::1/128",
  "fc00::/7",
];

const isRange = (range: string): boolean => {
  const [address = "", bits = "", ...rest] = range.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
};

/** Ranges of addresses: none, the private ones, or a list. */
export const ranges = (name: string, meaning: string): Setting<readonly string[]> => ({
  name,
  shown: "off",
  meaning,
  secret: false,
  parse: (value = "off") => {
    if (value === "off") return [];
    if (value === "on") return PRIVATE_RANGES;
    const listed = value.split(",").map((range) => range.trim());
    return listed.every(isRange) ? listed : refuse(value, "off, on or ranges such as 10.0.0.0/8,fd00::/8");
  },
});

/**
 * The number of proxies in front. Only the entries that they added to `X-Forwarded-For` count, from its end: the
 * earlier ones came from the caller, who can write anything.
 */
export const proxies = (name: string, meaning: string): Setting<number> => ({
  name,
  shown: "off",
  meaning,
  secret: false,
  parse: (value = "off") => {
    if (value === "off" || value === "on") return value === "on" ? 1 : 0;
    return /^[1-9]$/.test(value) ? Number(value) : refuse(value, "off, on or the number of proxies, 1 to 9");
  },
});

/** The address to listen on: `host:port`, or `[address]:port` for IPv6. */
export const listenAddress = (name: string, meaning: string): Setting<ListenAddress | undefined> => ({
  name,
  shown: "unset",
  meaning,
  secret: false,
  parse: (value) => {
    if (value === undefined) return undefined;
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(value) ?? [];
    const host = bracketed ?? plain;
    return host !== undefined && Number(port) <= 65535
      ? { host, port: Number(port) }
      : refuse(value, "a host and a port, such as 127.0.0.1:9464");
  },
});

/** An e-mail address, alone or as `Name <address>`. */
export const mailbox = (name: string, meaning: string): Setting<string | undefined> => ({
  name,
  shown: "unset",
  meaning,
  secret: false,
  parse: (value) =>
    value === undefined || /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)
      ? value
      : refuse(value, "an e-mail address, or Name <address>"),
});

/** Several values, separated by spaces or line breaks. */
export const words = (name: string, meaning: string, shown = "unset", secret = false): Setting<readonly string[]> => ({
  name,
  shown,
  meaning,
  secret,
  parse: (value = "") => value.split(/\s+/).filter(Boolean),
});

/** Several values that may contain spaces, separated by commas. */
export const names = (name: string, meaning: string, shown: string): Setting<readonly string[]> => ({
  name,
  shown,
  meaning,
  secret: false,
  parse: (value = "") =>
    value
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean),
});

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Identity providers. Codes and keys are sent to and from them, so plain HTTP is allowed for this machine alone. */
export const issuers = (name: string, meaning: string): Setting<readonly string[]> => {
  const given = words(name, meaning);
  const isIssuer = (each: string) => {
    if (!URL.canParse(each)) return false;
    const { protocol, hostname, search, hash } = new URL(each);
    return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && search + hash === "";
  };
  return {
    ...given,
    parse: (value) =>
      given.parse(value).map((each) => (isIssuer(each) ? each : refuse(each, "https:// addresses without a query"))),
  };
};

interface Keep {
  readonly daily: number;
  readonly weekly: number;
}

/** Numbers of daily and of weekly backups. */
export const keep = (name: string, fallback: Keep, meaning: string): Setting<Keep> => ({
  name,
  shown: `${fallback.daily},${fallback.weekly}`,
  meaning,
  secret: false,
  parse: (value) => {
    if (value === undefined) return fallback;
    const [, daily, weekly] = /^(\d{1,3}) *, *(\d{1,3})$/.exec(value) ?? [];
    if (daily === undefined || Number(daily) < 1)
      return refuse(value, "two whole numbers such as 7,4: daily backups (at least 1) and weekly ones");
    return { daily: Number(daily), weekly: Number(weekly) };
  },
});
