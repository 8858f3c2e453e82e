import { readFileSync } from "node:fs";
import type { Loose } from "../client.ts";

/** A JSON Schema as the description has it. */
export type Schema = Loose;

export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Without the prefix, with its parameters in braces. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly body: Schema | undefined;
  readonly multipart: boolean;
  /** Takes If-Match. */
  readonly conditional: boolean;
}

const description: Loose = JSON.parse(
  readFileSync(new URL("../../../../../openapi.json", import.meta.url).pathname, "utf8"),
);

/** The schema itself where it is a reference. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(description.components.schemas[schema.$ref.split("/").at(-1)]) : schema;

/** The names of all fields that a value of this schema may have, however deep. Nodes are their own matter. */
export function fieldsOf(given: Schema, names = new Set<string>()): Set<string> {
  if (given.$ref?.endsWith("/Node")) return names;
  const schema = resolved(given);
  for (const [name, inner] of Object.entries<Schema>(schema.properties ?? {})) fieldsOf(inner, names.add(name));
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])])
    fieldsOf(inner, names);
  return names;
}

const operationOf = (method: string, path: string, described: Loose): Operation => {
  const content = described.requestBody?.content ?? {};
  const parameters: Loose[] = described.parameters ?? [];
  return {
    name: described.operationId,
    method: method.toUpperCase(),
    path: path.replace(/^\/api\/v1/, ""),
    query: parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, required, schema }) => ({ name, required, schema })),
    body: (Object.values(content)[0] as Loose)?.schema,
    multipart: "multipart/form-data" in content,
    conditional: parameters.some((parameter) => parameter.$ref?.includes("/IfMatch")),
  };
};

/** Every operation of openapi.json. */
export const operations: readonly Operation[] = Object.entries<Loose>(description.paths).flatMap(([path, methods]) =>
  Object.entries<Loose>(methods).map(([method, described]) => operationOf(method, path, described)),
);
