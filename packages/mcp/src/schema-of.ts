import * as z from "zod";
import { PATH_TOO } from "./arguments.ts";

/** Keywords left out of tool lists to save tokens: models rarely reach these limits, and the error states them. */
const UNSAID = ["$schema", "minLength", "maxLength", "propertyNames"] as const;

/** The schema of an object with named members. */
type ArgumentsSchema = Schema & { type: "object" };

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  additionalProperties?: unknown;
}

/** The JSON Schema of a tool's arguments, kept short and limited to keywords that every model's interface accepts. */
export function schemaOf(input: z.ZodObject, hidden: readonly string[] = []): ArgumentsSchema {
  const schema = flat(shortSchema(input, "input"));
  for (const name of hidden) delete schema.properties?.[name];
  return { ...schema, type: "object" };
}

/** The JSON Schema of a tool's structured output. */
export const outputSchemaOf = (output: z.ZodObject): { type: "object" } => ({
  ...shortSchema(output, "output"),
  type: "object",
});

function shortSchema(given: z.ZodObject, io: "input" | "output"): Schema {
  const schema = z.toJSONSchema(given, {
    io,
    override: ({ jsonSchema }) => {
      for (const name of UNSAID) delete jsonSchema[name];
      delete jsonSchema.default;
      if (jsonSchema.description === "") delete jsonSchema.description;
      if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema[PATH_TOO]) {
        delete jsonSchema[PATH_TOO];
        delete jsonSchema.type;
        jsonSchema.anyOf = [{ type: "integer" }, { type: "string" }];
      }
      if (!jsonSchema.oneOf) return;
      jsonSchema.anyOf = jsonSchema.oneOf;
      delete jsonSchema.oneOf;
    },
  });
  delete schema.$schema;
  return schema as Schema;
}

/** Members whose own members move one level up; `names/` accepts them there too. */
const LIFTED = ["change", "position"];

/**
 * Merges alternatives into one object with the members of all of them and one member that names the alternative. The
 * tool's description lists the members that each alternative requires, and so does the error of an incomplete call.
 */
function flat(schema: Schema): Schema {
  const given = schema.anyOf ? merged(schema) : schema;
  if (given.items) return { ...given, items: flat(given.items) };
  if (!given.properties) return given;
  const properties: Record<string, Schema> = {};
  const required = new Set(given.required);
  for (const [name, inner] of Object.entries(given.properties)) {
    const member = flat(inner);
    if (!LIFTED.includes(name) || !member.properties) properties[name] ??= member;
    else {
      if (required.delete(name)) for (const each of member.required ?? []) required.add(each);
      for (const [own, value] of Object.entries(member.properties)) properties[own] ??= value;
    }
  }
  return { ...given, properties, ...(required.size > 0 && { required: [...required] }) };
}

/** The tag values that select an alternative. */
const tagsOf = (tag: Schema | undefined): unknown[] => tag?.enum ?? [tag?.const];

function merged(schema: Schema): Schema {
  const options = (schema.anyOf ?? []).flatMap((option) => (option.anyOf ? option.anyOf : [option]));
  const tag = Object.entries(options[0]?.properties ?? {}).find(([, { const: value }]) => value !== undefined)?.[0];
  if (tag === undefined) return { ...schema, anyOf: options };
  const { anyOf: _, ...rest } = schema;
  const properties: Record<string, Schema> = {
    [tag]: { type: "string", enum: options.flatMap((option) => tagsOf(option.properties?.[tag])) },
  };
  for (const option of options)
    for (const [name, member] of Object.entries(option.properties ?? {})) if (name !== tag) properties[name] ??= member;
  return { ...rest, type: "object", properties, required: [tag], additionalProperties: false };
}
