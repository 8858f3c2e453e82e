import * as z from "zod";

/** Bounds that a model never comes near: said when one does, and not paid for with every list of tools. */
const UNSAID = ["$schema", "minLength", "maxLength", "propertyNames"] as const;

/** The JSON Schema of a tool's arguments, as short as it can be and in words that every model's interface takes. */
export function schemaOf(input: z.ZodObject, hidden: readonly string[] = []): { type: "object" } {
  const schema = z.toJSONSchema(input, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const name of UNSAID) delete jsonSchema[name];
      delete jsonSchema.default;
      if (jsonSchema.description === "") delete jsonSchema.description;
      if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (!jsonSchema.oneOf) return;
      jsonSchema.anyOf = jsonSchema.oneOf;
      delete jsonSchema.oneOf;
    },
  });
  delete schema.$schema;
  for (const name of hidden) delete schema.properties?.[name];
  return schema as { type: "object" };
}
