import { type TProperties, type TSchema, Type } from "typebox";
import { type ErrorCode, errorCodes, messageOf, typeOf } from "../errors.ts";
import { isKept } from "../http/idempotency.ts";
import { API_PREFIX } from "../http/mount.ts";
import type { Route, Success } from "../http/route.ts";
import { nullable, object } from "../http/schemas.ts";
import { Components, type Json } from "./components.ts";
import { byStatus, errorsOf } from "./errors-of.ts";

/** Version of the interface description. */
export const API_VERSION = "1.10.0";

const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** The OpenAPI 3.1 description of the list of routes. */
export function describe(routes: readonly Route[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = API_PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that gave out this description." }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: `${name}.` })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A token `svc_tok_…`, made in the account menu or by device login.",
        },
      },
      schemas: { ...components.schemas, Error: components.refer(errorSchema()) },
      headers: Object.fromEntries(Object.entries(sharedHeaders).map(([name, text]) => [name, headerOf(name, text)])),
      parameters: usedParameters(paths),
    },
  };
}

/** The shared parameters that some operation refers to. */
function usedParameters(paths: Record<string, Json>): Json {
  const all = { IdempotencyKey, IfMatchRequired: ifMatch(true), IfMatchOptional: ifMatch(false), IfNoneMatch, Range };
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/parameters/${name}"`)));
}

const INTRODUCTION = [
  "Knowledge bases, folders and documents with stable, addressable blocks, for agents, scripts and applications.",
  "",
  "Every call but the public ones carries `Authorization: Bearer <token>`. A single resource answers `{data, request_id}`,",
  "a list `{data, page, request_id}`, a refusal `{error: {type, code, message, details}, request_id}`. Unknown fields and",
  "query parameters are refused. Times are milliseconds since 1970 UTC unless said otherwise.",
  "",
  "A write may carry `Idempotency-Key` (1 to 128 visible ASCII characters): the same key with the same request answers the",
  "first result again for 24 hours. 2xx and 4xx outcomes are kept, except 401, 403, 413, 415 and 429.",
].join("\n");

function operation(route: Route, components: Components): Json {
  const parameters = [...pathAndQuery(route, components), ...headerParameters(route)];
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.scopes === "public" ? { security: [] } : {}),
    "x-scopes": route.scopes === "public" ? [] : route.scopes,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route, components) }),
    responses: { ...successes(route, components), ...failures(route) },
  };
}

const descriptionOf = (route: Route): string => {
  const needs =
    route.scopes === "public"
      ? "Needs no token."
      : route.scopes.length === 0
        ? "Any valid token."
        : `Scope: ${route.scopes.map((scope) => `\`${scope}\``).join(" and ")}.`;
  return route.description ? `${route.description}\n\n${needs}` : needs;
};

function pathAndQuery(route: Route, components: Components): Json[] {
  const of = (place: "path" | "query", properties: TProperties, required: readonly string[]) =>
    Object.entries(properties).map(([name, schema]) => {
      const { description, ...rest } = schema as TSchema & { description?: string };
      return {
        name,
        in: place,
        required: place === "path" || required.includes(name),
        ...(description && { description }),
        schema: components.refer(rest),
      };
    });
  return [
    ...of("path", route.params?.properties ?? {}, []),
    ...of("query", route.query?.properties ?? {}, route.query?.required ?? []),
  ];
}

function headerParameters(route: Route): Json[] {
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

const requestBody = (route: Route, components: Components): Json => ({
  required: !route.bodyOptional,
  content: {
    [route.kind === "write" && route.multipart ? "multipart/form-data" : "application/json"]: {
      schema: components.refer(route.body),
      ...(route.bodyExample !== undefined && { example: route.bodyExample }),
    },
  },
});

/** The envelope of a success, as tests check it and OpenAPI shows it. */
export function envelopeOf({ data, list, more }: Success): TSchema | undefined {
  if (!data) return undefined;
  const page = object({
    cursor: nullable(Type.String()),
    next_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
  });
  return object({
    data: list ? Type.Array(data) : data,
    ...(list && { page }),
    ...more,
    request_id: Type.String(),
  });
}

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

const exampleOf = ({ example, list, moreExample }: Success): Json => {
  if (example === undefined) return {};
  const page = { cursor: null, next_cursor: null, has_more: false };
  const body = list ? { data: [example], page } : { data: example };
  return { example: { ...body, ...moreExample, request_id: "req_01K9ZQ4T6N4Y3V7J8W2M5R1XCG" } };
};

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Whether what it answers is kept under the `Idempotency-Key`. */
const keepsKeys = (route: Route): boolean => route.kind === "write" && route.scopes !== "public";

/** The headers of a refusal beside those of every answer. */
const refusalHeaders = (route: Route, status: number, codes: readonly ErrorCode[]): string[] => [
  ...(status === 401 ? ["WWW-Authenticate"] : []),
  ...(status === 429 || status === 503 || codes.includes("slow_down") ? ["Retry-After"] : []),
  ...(keepsKeys(route) && isKept({ status }) ? ["Idempotency-Replayed"] : []),
];

function failures(route: Route): Json {
  const groups = [...byStatus(errorsOf(route))];
  return Object.fromEntries(
    groups.map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join("\n\n"),
        headers: headerRefs([...RATE_HEADERS, ...refusalHeaders(route, status, codes)]),
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            example: { error: exampleError(codes[0]!), request_id: "req_01K9ZQ4T6N4Y3V7J8W2M5R1XCG" },
          },
        },
        "x-codes": codes,
      },
    ]),
  );
}

const exampleError = (code: ErrorCode) => ({ type: typeOf(code), code, message: messageOf(code), details: {} });

export const errorSchema = (): TSchema =>
  object({
    error: object({
      type: Type.Enum([
        "request_error",
        "authentication_error",
        "permission_error",
        "rate_limit_error",
        "server_error",
      ]),
      code: Type.Enum([...errorCodes] as [string, ...string[]]),
      message: Type.String(),
      details: Type.Object({ hint: Type.Optional(Type.String()) }, { additionalProperties: true }),
    }),
    request_id: Type.String(),
  });

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
