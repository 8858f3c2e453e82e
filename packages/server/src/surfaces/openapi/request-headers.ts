import type { Route } from "../../http/route.ts";
import type { Json } from "./components.ts";

/** References to the headers that a request may have. */
export function headerParameters(route: Route): Json[] {
  const names = [
    route.kind === "write" && route.scopes !== "public" && "IdempotencyKey",
    route.ifMatch === "required" && "IfMatchRequired",
    route.ifMatch === "optional" && "IfMatchOptional",
    route.etag && route.method === "GET" && "IfNoneMatch",
    route.success.ranges && "Range",
  ];
  return names
    .filter((name) => name !== false && name !== undefined)
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The shared parameters that any operation refers to. */
export function usedParameters(paths: Record<string, Json>): Json {
  const all = { IdempotencyKey, IfMatchRequired: ifMatch(true), IfMatchOptional: ifMatch(false), IfNoneMatch, Range };
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/parameters/${name}"`)));
}

const IdempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same request answers the first result again, for 24 hours.",
  schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
};
const ifMatch = (required: boolean): Json => ({
  name: "If-Match",
  in: "header",
  required,
  description: "The current version, quoted; `*` means whatever is there.",
  schema: { type: "string" },
});
const IfNoneMatch: Json = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "Versions the caller has; the current one answers 304.",
  schema: { type: "string" },
};
const Range: Json = {
  name: "Range",
  in: "header",
  required: false,
  description: "One range of bytes, such as `bytes=0-1023`; several at once are answered whole.",
  schema: { type: "string" },
};
