import type { FieldRow } from "@svc/web/server/pages/reference/operation";
import { type Html, html } from "@svc/web/shared/html";
import { markdownHtml } from "../rendering/markdown-html.ts";

/** The part of JSON Schema that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, at) => [at > 0 && between, part])}`;

const value = (one: unknown): Html => html`<code>${typeof one === "string" ? one : JSON.stringify(one)}</code>`;

/** The name of the shape in a reference. */
const shapeName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** A value's type in words, with links to the shapes. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="/api-docs/shapes#${shapeName(schema.$ref)}">${shapeName(schema.$ref)}</a>`;
  if (schema.enum) return joined(schema.enum.map(value), " ");
  if (schema.const !== undefined) return value(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map(typeOf), " or ");
  if (schema.type === "array") return html`array of ${schema.items ? typeOf(schema.items) : "anything"}`;
  const name = typeof schema.type === "object" ? schema.type.join(" or ") : (schema.type ?? "any value");
  return html`${name}${bounds(schema)}`;
}

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [from, to] = [minimum ?? minLength, maximum ?? maxLength];
  const unit = minLength !== undefined || maxLength !== undefined ? " characters" : "";
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return `, from ${from}${unit}`;
  return `, ${from === undefined ? "up to" : `${from} to`} ${to.toLocaleString("en")}${unit}`;
}

export const describedField = (name: string, schema: Schema, isRequired: boolean): FieldRow => {
  const notes = [schema.description, schema.default !== undefined && `Default \`${JSON.stringify(schema.default)}\`.`];
  return {
    name,
    type: typeOf(schema),
    isRequired,
    description: markdownHtml(notes.filter(Boolean).join(" ")),
  };
};

/** Nested fields by path: `data.user.id`, `data.items[].id`. */
export function fieldsOf(schema: Schema, prefix = ""): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const own = describedField(path, field, schema.required?.includes(name) === true);
    const [inner, mark] = insideOf(field);
    return [own, ...(inner ? fieldsOf(inner, `${path}${mark}.`) : [])];
  });
}

/** The object in a field, directly or as a list's item, ignoring a null beside it. */
function insideOf(field: Schema): [Schema | undefined, string] {
  const objects = (field.anyOf ?? [field]).filter(({ properties, items }) => properties ?? items?.properties);
  const [only] = objects;
  if (objects.length !== 1 || !only) return [undefined, ""];
  return only.properties ? [only, ""] : [only.items, "[]"];
}
