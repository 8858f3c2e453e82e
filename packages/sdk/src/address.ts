const PREFIX = "/api/v1";

type Value = string | number | boolean | null | undefined;

/** The service's own address: without a slash at the end, and without the API's prefix should someone give it. */
export function normalizeBaseUrl(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, "").replace(/\/api(\/v1)?$/, "");
  if (trimmed !== "" && !/^https?:\/\/[^/]/.test(trimmed))
    throw new TypeError(`baseUrl must begin with http:// or https://, and is "${baseUrl}".`);
  return trimmed;
}

/** `/documents/{id}` and its values as an address; a value never adds a path segment of its own. */
export function addressOf(
  path: string,
  values: Readonly<Record<string, Value>> = {},
  query: Readonly<Record<string, Value>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return PREFIX + filled + (search.size > 0 ? `?${search}` : "");
}

function segmentOf(name: string, value: Value): string {
  const text = String(value ?? "");
  if (text === "" || text === "." || text === "..")
    throw new TypeError(`The path needs a value for "${name}", and got "${text}".`);
  return encodeURIComponent(text);
}
