import { isRecord } from "@svc/document/guards";

/** A JSON Schema as plain data. */
export type Json = { [key: string]: unknown };

/**
 * Turns our schemas into OpenAPI's: named ones move to `components.schemas` and leave a reference behind, and our own
 * `x-…` notes go away. `x-described` is what to show of a value that its own code checks more precisely than a schema.
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
