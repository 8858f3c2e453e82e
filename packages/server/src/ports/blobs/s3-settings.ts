import { InvalidSetting } from "../invalid-setting.ts";

/** The address of a bucket and the keys for signing. */
export interface S3Settings {
  readonly bucket: string;
  /** Comes before every key: empty, or a path that ends in `/`. */
  readonly prefix: string;
  /** The bucket's own address, without a trailing slash. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Keys for an address without them: the standard AWS_* variables, passed in at the start. */
export interface S3Environment {
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_REGION?: string | undefined;
}

class Refusal extends Error {}

const form = "s3://[KEY:SECRET@]BUCKET[/PREFIX][?endpoint=URL&region=NAME&style=path|host]";
const parameters = new Set(["endpoint", "region", "style"]);

/** Parses `s3://bucket/prefix?endpoint=…&region=…`. Characters such as `:` or `/` in a key are percent-encoded. */
export function readS3Url(text: string, env: S3Environment = {}, setting = "SVC_BLOB_URL"): S3Settings {
  try {
    return parse(text, env);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidSetting(setting, error.message) : error;
  }
}

function parse(text: string, env: S3Environment): S3Settings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:") throw refuse("is not an address of an S3 bucket");
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined) throw refuse(`has an unknown parameter "${unknown}"`);
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9._-]{1,254}$/i.test(bucket)) throw refuse("names no valid bucket");
  const region = url.searchParams.get("region") ?? env.AWS_REGION ?? "us-east-1";
  return { bucket, prefix: readPrefix(url), bucketUrl: bucketUrl(url, bucket, region), region, ...readKeys(url, env) };
}

function readPrefix(url: URL): string {
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  if (
    !/^(?:[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*)?$/.test(path) ||
    path.split("/").some((part) => /^\.+$/.test(part))
  ) {
    throw refuse("has a prefix with other characters than letters, digits, '_', '-', '.' and '/'");
  }
  return path === "" ? "" : `${path}/`;
}

/** Custom endpoints are addressed by path by default; AWS by host, unless dots in the bucket name break TLS. */
function bucketUrl(url: URL, bucket: string, region: string): string {
  const given = url.searchParams.get("endpoint");
  const style = url.searchParams.get("style") ?? (given !== null || bucket.includes(".") ? "path" : "host");
  const text = given ?? `https://s3.${region}.amazonaws.com`;
  const endpoint = URL.canParse(text) ? new URL(text) : undefined;
  if (endpoint === undefined || !/^https?:$/.test(endpoint.protocol))
    throw refuse("has an endpoint that is no http(s) address");
  if (endpoint.username || endpoint.search || endpoint.hash)
    throw refuse("has an endpoint with more than host and path");
  if (style !== "path" && style !== "host") throw refuse("has a style other than path and host");
  const base = endpoint.pathname.replace(/\/+$/, "");
  return style === "path"
    ? `${endpoint.protocol}//${endpoint.host}${base}/${bucket}`
    : `${endpoint.protocol}//${bucket}.${endpoint.host}${base}`;
}

function readKeys(url: URL, env: S3Environment) {
  const isInUrl = url.username !== "";
  const accessKeyId = isInUrl ? decodeURIComponent(url.username) : env.AWS_ACCESS_KEY_ID;
  const secretAccessKey = isInUrl ? decodeURIComponent(url.password) : env.AWS_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey) {
    throw refuse("has no keys, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set");
  }
  return { accessKeyId, secretAccessKey, sessionToken: isInUrl ? undefined : env.AWS_SESSION_TOKEN };
}

/** The message omits the given value, which may contain the secret. */
const refuse = (what: string) => new Refusal(`the value ${what}; allowed is ${form}`);
