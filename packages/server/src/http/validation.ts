import { isRecord } from "@svc/document/guards";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type TObject, type TSchema, Type } from "typebox";
import { ApiError, notFound } from "../errors.ts";
import { nearestErrors } from "./nearest-alternative.ts";
import type { Route } from "./route.ts";
import { subjectName } from "./subject-name.ts";

const options = { strict: false, useDefaults: true, unicodeRegExp: true, verbose: true } as const;
/** Values in a JSON body are not converted: "5" is not 5 and null is not 0. */
const strict = new Ajv({ ...options, allErrors: true });
/** For a large body only the first problem is reported: it could have millions. */
const brief = new Ajv(options);
const LARGE_BYTES = 65_536;
const MAX_ISSUES = 50;
const nothing = Type.Object({}, { additionalProperties: false });

interface Issue {
  readonly path: string;
  readonly message: string;
  /** The known fields, if one is unknown. */
  readonly known?: readonly string[];
}

/** Turns `/nodes/0/type` of the body into `body.nodes[0].type`. */
function pathOf(part: string, error: ErrorObject): string {
  const inner = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("");
  const { missingProperty, additionalProperty }: Record<string, string | undefined> = error.params;
  const last = missingProperty ?? additionalProperty;
  return `${part}${inner}${last === undefined ? "" : `.${last}`}`;
}

export function messageOf(error: ErrorObject): string {
  if (error.keyword === "required") return "is required";
  if (error.keyword === "additionalProperties") return "is not a known field";
  if (error.keyword === "enum") return `must be one of ${error.params.allowedValues.join(", ")}`;
  if (error.keyword === "const") return `must be ${error.params.allowedValue}`;
  const says = error.keyword === "pattern" ? error.parentSchema?.["x-says"] : undefined;
  return says ?? error.message ?? "is not valid";
}

const issuesOf = (part: string, check: ValidateFunction): Issue[] =>
  nearestErrors(check.errors ?? [])
    .slice(0, MAX_ISSUES)
    .map((error) => ({ path: pathOf(part, error), message: messageOf(error), ...knownFields(error) }));

const MAX_KNOWN_FIELDS = 40;

/**
 * The fields that are allowed in place of an unknown one: the same for all unknown fields of an object, so listed once.
 */
function knownFields({ keyword, parentSchema }: ErrorObject): Pick<Issue, "known"> {
  const names = keyword === "additionalProperties" ? Object.keys(parentSchema?.properties ?? {}) : [];
  return names.length === 0 || names.length > MAX_KNOWN_FIELDS ? {} : { known: names };
}

/** Lists known fields only once. */
function once(issues: readonly Issue[]): readonly Issue[] {
  const reported = new Set<string>();
  return issues.map(({ known, ...issue }) => {
    const key = known?.join();
    if (key === undefined || reported.has(key)) return issue;
    reported.add(key);
    return { ...issue, known };
  });
}

const invalid = (issues: readonly Issue[], { tag }: Route): ApiError =>
  new ApiError(
    "invalid_request",
    {
      hint: `Correct what details.issues names; /api-docs/${subjectName(tag)}.md describes this call.`,
      issues: once(issues),
    },
    {},
    `The request is not valid: ${issues[0]?.path} ${issues[0]?.message}.`,
  );

interface RawInput {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly rawBody: Uint8Array | undefined;
}

/** Compiles the schema's check when it is first needed: a server has many routes and starts faster without. */
function lazily(ajv: Ajv, schema: TSchema): () => ValidateFunction {
  let check: ValidateFunction | undefined;
  return () => {
    check ??= ajv.compile(schema);
    return check;
  };
}

/** No stored text contains NUL, because text columns cannot hold it. */
const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\0") : Array.isArray(value) && value.some(hasNul);

const isDecimal = /^(?:0|-?[1-9]\d*)$/;

/** Path and query are text: whole numbers, in one spelling only, and booleans are parsed from it. */
function readText(schema: TObject | undefined, values: Record<string, unknown>): void {
  for (const name in values) {
    const value = values[name];
    if (typeof value !== "string") continue;
    const property: unknown = schema?.properties[name];
    const type = isRecord(property) ? property.type : undefined;
    if (type === "integer" && isDecimal.test(value)) values[name] = Number(value);
    else if (type === "boolean" && (value === "true" || value === "false")) values[name] = value === "true";
  }
}

/** Checks a request against all of a route's schemas and reports every error in query and body at once. */
export function compileInput(route: Route): (input: RawInput) => void {
  const params = lazily(strict, route.params ?? nothing);
  const query = lazily(strict, route.query ?? nothing);
  const checkBody = route.kind === "write" && !route.multipart ? bodyCheck(route) : () => [];
  return (input) => {
    for (const name in input.params) if (hasNul(input.params[name])) throw unknownPath(route, name, input.params[name]);
    readText(route.params, input.params);
    if (!params()(input.params)) throw wrongPath(route, input.params, params());
    const issues: Issue[] = [];
    readText(route.query, input.query);
    for (const name in input.query)
      if (hasNul(input.query[name])) issues.push({ path: `query.${name}`, message: "must not contain NUL" });
    if (!query()(input.query)) issues.push(...issuesOf("query", query()));
    issues.push(...checkBody(input));
    if (issues.length > 0) throw invalid(issues, route);
  };
}

function bodyCheck(route: Route): (input: RawInput) => Issue[] {
  const schema = (route.body ?? nothing) as TSchema;
  const checks = { strict: lazily(strict, schema), brief: lazily(brief, schema) };
  const mayBeAbsent = !route.body || route.bodyOptional;
  return ({ body, rawBody }) => {
    if (body === undefined && mayBeAbsent) return [];
    const check = (rawBody?.length ?? 0) > LARGE_BYTES ? checks.brief() : checks.strict();
    return check(body) ? [] : issuesOf("body", check);
  };
}

/** A malformed id is not found. */
const unknownPath = (route: Route, name: string, id = ""): ApiError => notFound(resourceOf(route.path, name), id);

const wrongPath = (route: Route, params: Record<string, string>, { errors }: ValidateFunction): ApiError => {
  const name = errors?.[0]?.instancePath.slice(1) ?? "";
  return unknownPath(route, name, params[name]);
};

/** `/documents/{id}/blocks` + `id` is a document. */
const resourceOf = (path: string, parameter: string): string => {
  const steps = path.split("/");
  const noun = steps[steps.indexOf(`{${parameter}}`) - 1] ?? "resource";
  return noun.replace(/s$/, "").replaceAll("-", "_");
};
