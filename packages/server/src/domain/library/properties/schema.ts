import { type TObject, type TProperties, Type } from "typebox";
import { named, object } from "../../../http/schemas.ts";

/** Any JSON object; validated with the path of the first invalid value. */
export const PropertyMap = Type.Unsafe<Record<string, unknown>>({
  type: "object",
  "x-described": {
    type: "object",
    description:
      "Properties by name: texts, numbers, booleans, null, lists, and objects of those. Dates are ISO 8601 text. At most 64 names and 16 KB.",
    additionalProperties: true,
  },
});

export const DocumentProperties = named(
  "DocumentProperties",
  object({
    properties: PropertyMap,
    source: Type.String({ description: "The YAML that they were read from, as it was written." }),
    version: Type.String({ description: "The ETag of the properties; another than the body's." }),
  }),
);

export const PropertiesInput = Type.Union([
  object({ properties: PropertyMap }),
  object({ source: Type.String({ maxLength: 65_536, description: "YAML: a mapping of names to values." }) }),
]);

export const exampleProperties = {
  properties: { status: "draft", tags: ["guide"] },
  source: "status: draft\ntags: [guide]\n",
  version: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
};

/** Query parameters of this form are filters: `property.status=done`. */
const PROPERTY_FILTER = "^property\\.";

/** A query that also accepts any number of `property.<name>=<value>`. */
export const propertyFilters = <T extends TProperties>(fields: T): TObject<T> =>
  Type.Object(fields, {
    additionalProperties: false,
    patternProperties: { [PROPERTY_FILTER]: Type.String({ maxLength: 2000 }) },
  });

export const PropertyTag = named("PropertyTag", object({ tag: Type.String(), count: Type.Integer() }));
