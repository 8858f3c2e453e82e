import { defined } from "@svc/document/defined";
import { type ErrorCode, messageOf } from "../../error-codes.ts";
import { isKept } from "../../http/idempotency.ts";
import type { Route, Success } from "../../http/route.ts";
import type { Components, Json } from "./components.ts";
import { envelopeOf, exampleError, exampleOf } from "./envelopes.ts";
import type { ErrorAnswers } from "./error-answers.ts";
import { byStatus, errorsOf } from "./errors-of.ts";

const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** Every answer of a route, by status. */
export const responses = (route: Route, components: Components, errors: ErrorAnswers): Json => ({
  ...successes(route, components),
  ...failures(route, errors),
});

function successes(route: Route, components: Components): Json {
  const all = [route.success, ...(route.success.alternatives ?? [])];
  const answers = Object.fromEntries(all.map((one) => [String(one.status), success(route, one, components)]));
  const whole = answers[String(route.success.status)] as Json;
  const part = { "206": { ...whole, description: "The part that `Range` asks for." } };
  const notModified = {
    "304": { description: "The caller has this version already.", headers: { ...headerRefs(RATE_HEADERS), ETag } },
  };
  return {
    ...answers,
    ...(route.success.ranges && part),
    ...(route.etag && route.method === "GET" ? notModified : {}),
  };
}

function success(route: Route, one: Success, components: Components): Json {
  const { description, headers, content } = one;
  const envelope = envelopeOf(one);
  const types: Json = {};
  if (envelope) types["application/json"] = { schema: components.refer(envelope), ...exampleOf(one) };
  for (const type of content ?? []) types[type] = { schema: { type: "string" } };
  return {
    description,
    headers: {
      ...headerRefs([...RATE_HEADERS, ...(keepsKeys(route) ? ["Idempotency-Replayed"] : [])]),
      ...(route.etag && one === route.success && { ETag }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, headerOf(name, text)])),
    },
    ...(Object.keys(types).length > 0 && { content: types }),
  };
}

function failures(route: Route, errors: ErrorAnswers): Json {
  const groups = [...byStatus(errorsOf(route))];
  return Object.fromEntries(
    groups.map(([status, codes]) => [String(status), errors.refer(status, codes, failure(route, status, codes))]),
  );
}

const failure = (route: Route, status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join("\n\n"),
  headers: headerRefs([...RATE_HEADERS, ...refusalHeaders(route, status, codes)]),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Error" },
      example: exampleError(defined(codes[0])),
    },
  },
  "x-codes": codes,
});

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Whether the route's answers are stored under the `Idempotency-Key`. */
const keepsKeys = (route: Route): boolean => route.kind === "write" && route.scopes !== "public";

/** The headers that only refusals have. */
const refusalHeaders = (route: Route, status: number, codes: readonly ErrorCode[]): string[] => [
  ...(status === 401 ? ["WWW-Authenticate"] : []),
  ...(status === 429 || status === 503 || codes.includes("slow_down") ? ["Retry-After"] : []),
  ...(keepsKeys(route) && isKept({ status }) ? ["Idempotency-Replayed"] : []),
];

const sharedHeaders: Record<string, string> = {
  "X-RateLimit-Limit": "Requests allowed in the window.",
  "X-RateLimit-Remaining": "Requests left in the window.",
  "X-RateLimit-Reset": "When the window ends, in epoch seconds.",
  "X-Request-Id": "Id of the request: the one sent, or a new one.",
  "Retry-After": "Seconds to wait.",
  "WWW-Authenticate": "Always `Bearer`.",
  "Idempotency-Replayed": "`true` when this is the kept answer to the first request with the key; otherwise absent.",
};
const inNumbers = /^(X-RateLimit-|Retry-After)/;
const headerOf = (name: string, description: string): Json => ({
  description,
  schema: { type: inNumbers.test(name) ? "integer" : "string" },
});
const ETag = headerOf("ETag", "The version, quoted.");

/** The header definitions that the answers refer to. */
export const responseHeaders = (): Json =>
  Object.fromEntries(Object.entries(sharedHeaders).map(([name, text]) => [name, headerOf(name, text)]));
