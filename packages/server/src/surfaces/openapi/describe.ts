import type { TProperties, TSchema } from "typebox";
import { API_PREFIX } from "../../http/mount.ts";
import type { Route } from "../../http/route.ts";
import { Components, type Json } from "./components.ts";
import { errorSchema } from "./envelopes.ts";
import { ErrorAnswers } from "./error-answers.ts";
import { headerParameters, usedParameters } from "./request-headers.ts";
import { responseHeaders, responses } from "./responses.ts";

/** The version of the interface description. */
export const API_VERSION = "1.10.0";

/** The OpenAPI 3.1 description of the routes, with the service's address if it is known. */
export function describe(routes: readonly Route[], address = "/"): Json {
  const components = new Components();
  const errors = new ErrorAnswers();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = API_PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components, errors) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: address, description: "The server that gave out this description." }],
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
      responses: errors.components,
      headers: responseHeaders(),
      parameters: usedParameters(paths),
    },
  };
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

function operation(route: Route, components: Components, errors: ErrorAnswers): Json {
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
    responses: responses(route, components, errors),
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

/** Parameters whose names the caller chooses: the keys of an exploded object are separate parameters. */
const PROPERTY_FILTERS: Json = {
  name: "properties",
  in: "query",
  required: false,
  style: "form",
  explode: true,
  description:
    "`property.<name>=<value>`, such as `property.status=done`: only documents whose property has that value as text, or a list with that member. At most 8.",
  schema: { type: "object", patternProperties: { "^property\\.": { type: "string" } }, additionalProperties: false },
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
    ...(route.query && "patternProperties" in route.query ? [PROPERTY_FILTERS] : []),
  ];
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
