import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type TObject, type TSchema, Type } from "typebox";
import { ApiError, notFound } from "../errors.ts";
import type { Route } from "./route.ts";

const options = { allErrors: true, strict: false, useDefaults: true, unicodeRegExp: true, verbose: true } as const;
/** A JSON body says what it means: "5" is not 5 and null is not 0. */
const strict = new Ajv(options);
/** Path and query are text, so numbers and booleans are read from it. */
const loose = new Ajv({ ...options, coerceTypes: true });

const MAX_ISSUES = 50;
const nothing = Type.Object({}, { additionalProperties: false });

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** `/nodes/0/type` of the body becomes `body.nodes[0].type`. */
function pathOf(part: string, error: ErrorObject): string {
  const inner = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("");
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const last = missingProperty ?? additionalProperty;
  return `${part}${inner}${last === undefined ? "" : `.${last}`}`;
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === "required") return "is required";
  if (error.keyword === "additionalProperties") return "is not a known field";
  if (error.keyword === "enum") return `must be one of ${(error.params.allowedValues as unknown[]).join(", ")}`;
  const says = error.keyword === "pattern" ? (error.parentSchema as { "x-says"?: string })["x-says"] : undefined;
  return says ?? error.message ?? "is not valid";
}

const issuesOf = (part: string, check: ValidateFunction): Issue[] =>
  (check.errors ?? [])
    .filter((error) => error.keyword !== "anyOf" && error.keyword !== "if")
    .slice(0, MAX_ISSUES)
    .map((error) => ({ path: pathOf(part, error), message: messageOf(error) }));

export const invalid = (issues: readonly Issue[]): ApiError =>
  new ApiError(
    "invalid_request",
    { issues },
    {},
    `The request is not valid: ${issues[0]?.path} ${issues[0]?.message}.`,
  );

interface RawInput {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

/** Compiles a route's schemas into one check that reports everything wrong with query and body at once. */
export function compileInput(route: Route): (input: RawInput) => void {
  const checkParams = loose.compile(route.params ?? (Type.Object({}) as TObject));
  const checkQuery = loose.compile(route.query ?? nothing);
  const checkBody =
    route.kind === "write" && !("multipart" in route && route.multipart) ? compileBody(route) : undefined;
  return ({ params, query, body }) => {
    if (!checkParams(params) || hasNul(params)) throw unknownPath(route, params);
    const issues: Issue[] = [];
    if (!checkQuery(query)) issues.push(...issuesOf("query", checkQuery));
    if (checkBody && !checkBody(body)) issues.push(...issuesOf("body", checkBody));
    if (issues.length > 0) throw invalid(issues);
  };
}

function compileBody(route: Route): ValidateFunction {
  const check = strict.compile((route.body ?? nothing) as TSchema);
  if (route.body && !route.bodyOptional) return check;
  const allowAbsent = (body: unknown) => body === undefined || check(body);
  return Object.defineProperty(allowAbsent, "errors", { get: () => check.errors }) as unknown as ValidateFunction;
}

/** No id has a NUL, and PostgreSQL refuses to look for one. */
const hasNul = (params: Record<string, unknown>): boolean =>
  Object.values(params).some((value) => typeof value === "string" && value.includes("\0"));

/** An id that cannot be one names nothing. */
const unknownPath = (route: Route, params: Record<string, string>): ApiError => {
  const [name, id] = Object.entries(params)[0] ?? ["", ""];
  return notFound(resourceOf(route.path, name), id);
};

/** `/documents/{id}/blocks` + `id` is a document. */
export const resourceOf = (path: string, parameter: string): string => {
  const steps = path.split("/");
  const noun = steps[steps.indexOf(`{${parameter}}`) - 1] ?? "resource";
  return noun.replace(/s$/, "").replaceAll("-", "_");
};
