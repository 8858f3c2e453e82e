/** Writes the SDK's types from openapi.json: every schema, and per path and method what a call takes and answers. */

import { readFileSync, writeFileSync } from "node:fs";
import { defined } from "@svc/document/defined";

export const GENERATED = "packages/sdk/src/generated/api.ts";
const PREFIX = "/api/v1";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  /** Type of a query parameter whose keys are parameters themselves. */
  readonly patternProperties?: Record<string, Schema>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Record<string, { readonly schema: Schema }>;

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly parameters: Record<string, Parameter>;
  };
}

const JSON_TYPE = "application/json";
const scalars: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);
/** `Error` would hide the global of that name. */
const typeName = (ref: string): string => (nameOf(ref) === "Error" ? "ErrorBody" : nameOf(ref));
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$|^\[/.test(name) ? name : JSON.stringify(name));
/** Type of the parameters that callers name themselves. */
const PROPERTY_NAMES = `[name: \`property.${"$"}{string}\`]`;
const indent = (text: string): string => text.replaceAll("\n", "\n  ");
const unique = (types: readonly string[]): string => [...new Set(types)].join(" | ");
const comment = (text: string | undefined): string =>
  text ? `/** ${text.trim().replaceAll("*/", "*\\/").replaceAll("\n", "\n * ")} */\n` : "";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
  readonly description?: string | undefined;
}

const fieldLine = ({ name, type, optional, description }: Field): string =>
  indent(`\n${comment(description)}${keyOf(name)}${optional ? "?" : ""}: ${type};`);

const objectOf = (fields: readonly Field[]): string =>
  fields.length === 0 ? "{}" : `{${fields.map(fieldLine).join("")}\n}`;

/** The envelopes of the API have names, so that a hover shows `List<Document>` and not ten lines. */
function envelopeOf(properties: Record<string, Schema>): string | undefined {
  const { data, page, request_id, ...others } = properties;
  if (!data || !request_id) return undefined;
  const extra = Object.entries(others).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: schema.description,
  }));
  const envelope = page && data.items ? `List<${typeOf(data.items)}>` : `Single<${typeOf(data)}>`;
  return extra.length === 0 ? envelope : `${envelope} & ${objectOf(extra)}`;
}

function objectType(
  { properties, required = [], additionalProperties }: Schema,
  typeWithin: (schema: Schema) => string,
  open: Manner["open"],
): string {
  if (!properties) return additionalProperties === false ? "Record<string, never>" : open;
  const envelope = envelopeOf(properties);
  if (envelope) return envelope;
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeWithin(schema),
    optional: !required.includes(name),
    description: schema.description,
  }));
  return additionalProperties ? `${objectOf(fields)} & Record<string, unknown>` : objectOf(fields);
}

/** How a type is written: what stands before a list, and an object whose members are not described. */
interface Manner {
  readonly list: "" | "readonly ";
  readonly open: "JsonObject" | "Record<string, unknown>";
}
const ANSWERED: Manner = { list: "", open: "JsonObject" };
/** Callers may send read-only lists. */
const SENT: Manner = { list: "readonly ", open: "Record<string, unknown>" };
/** Name of a schema that is both sent and returned. */
const BOTH: Manner = { list: "readonly ", open: "JsonObject" };

function typeOf(schema: Schema, manner: Manner = ANSWERED): string {
  const within = (inner: Schema) => typeOf(inner, manner);
  if (schema.$ref) return typeName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return unique(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return unique(choices.map(within));
  if (schema.type === "array") {
    const item = schema.items ? within(schema.items) : "unknown";
    return `${manner.list}${/[|&]/.test(item) ? `(${item})[]` : `${item}[]`}`;
  }
  if (schema.type === "object") return objectType(schema, within, manner.open);
  return scalars[schema.type ?? ""] ?? "unknown";
}

/** A body's type: JSON as its schema says, a form as `FormData`. */
const bodyType = (content: Content): string =>
  content[JSON_TYPE] ? typeOf(content[JSON_TYPE].schema, SENT) : "FormData";

/** An answer is JSON where the API can give JSON, and the `Response` itself otherwise. */
function answerType({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return unique(good.map(([, { content }]) => (content?.[JSON_TYPE] ? typeOf(content[JSON_TYPE].schema) : "Response")));
}

function operationType(operation: Operation, shared: Record<string, Parameter>): string {
  const parameters = (operation.parameters ?? []).map((one) =>
    "$ref" in one ? defined(shared[nameOf(one.$ref)]) : one,
  );
  const group = (where: Parameter["in"]): Field[] => {
    const inside = parameters.filter((one) => one.in === where);
    const fields = inside.map(({ name, schema, required, description }) => ({
      name: schema.patternProperties ? PROPERTY_NAMES : name,
      type: schema.patternProperties ? "string" : typeOf(schema),
      optional: !required && !schema.patternProperties,
      description,
    }));
    const optional = !inside.some(({ required }) => required);
    return fields.length === 0 ? [] : [{ name: where, type: objectOf(fields), optional }];
  };
  const ifMatch = parameters.find(({ name }) => name === "If-Match");
  const body = operation.requestBody;
  return objectOf([
    ...group("path"),
    ...group("query"),
    ...(ifMatch ? [{ name: "ifMatch", type: "string", optional: !ifMatch.required }] : []),
    ...(body ? [{ name: "body", type: bodyType(body.content), optional: !body.required }] : []),
    { name: "answer", type: answerType(operation) },
  ]);
}

const HEAD = `// Made by scripts/sdk-types.ts from openapi.json: do not edit, run \`npm run openapi\`.

/** A value of JSON whose members the API does not describe. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The answer with one thing. */
export interface Single<T> {
  data: T;
  request_id: string;
}

/** The answer with one page of a list. */
export interface List<T> {
  data: T[];
  page: Page;
  request_id: string;
}

export interface Page {
  cursor: string | null;
  next_cursor: string | null;
  has_more: boolean;
}
`;

/** The schemas that one side of all calls is made of, down to the last. */
function schemasIn({ paths, components }: Description, side: "requestBody" | "responses"): Set<string> {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      add(components.schemas[name]);
    }
  };
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) add(operation[side]);
  return found;
}

function mannerOf(description: Description): (schema: string) => Manner {
  const [sent, answered] = [schemasIn(description, "requestBody"), schemasIn(description, "responses")];
  return (schema) => (!sent.has(schema) ? ANSWERED : answered.has(schema) ? BOTH : SENT);
}

export function sdkTypes(description: Description): string {
  const { paths, components } = description;
  const manner = mannerOf(description);
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `\n${comment(schema.description)}export type ${typeName(name)} = ${typeOf(schema, manner(name))};\n`,
  );
  const rows = Object.entries(paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .map(([path, methods]) => ({
      name: path.slice(PREFIX.length),
      type: objectOf(
        Object.entries(methods).map(([method, operation]) => ({
          name: method,
          type: operationType(operation, components.parameters),
          description: operation.summary,
        })),
      ),
    }));
  const table = `\n/** The arguments and answers of each call, by path (without \`${PREFIX}\`) and method. */\nexport interface Paths ${objectOf(rows)}\n`;
  return HEAD + schemas.join("") + table;
}

export const readDescription = (): Description => JSON.parse(readFileSync("openapi.json", "utf8"));

if (import.meta.main) writeFileSync(GENERATED, sdkTypes(readDescription()));
