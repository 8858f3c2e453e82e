import { isRecord } from "@svc/document/guards";

/** A JSON Schema as plain data. */
export type Json = { [key: string]: unknown };

/**
 * Converts our schemas to OpenAPI's: named schemas move to `components.schemas` and are referenced, and our `x-…` notes
 * are dropped. `x-described` replaces the schema of a value that code checks more precisely.
 */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.refer(item));
    if (!isRecord(schema)) return schema;
    const { "x-component": name, "x-says": _says, "x-described": described, ...given } = schema;
    const rest = isRecord(described) ? described : given;
    if (typeof name !== "string") return this.#inner(rest);
    if (!(name in this.schemas)) {
      this.schemas[name] = {};
      this.schemas[name] = this.#inner(rest);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inner(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.refer(value)]));
  }
}
