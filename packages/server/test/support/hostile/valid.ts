import { chance, pick, type Random } from "../random.ts";
import { fieldsOf, type Operation, resolved, type Schema } from "./description.ts";
import { isIdField, type Place, providers, type Scene } from "./scene.ts";

/** A request as data, before it is written down. */
export interface Call {
  readonly operation: Operation;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const NODES = [
  { type: "paragraph", content: [{ type: "text", text: "Hello." }] },
  { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "Part" }] },
  { type: "bulletList", content: [{ type: "listItem", content: [{ type: "paragraph" }] }] },
  { type: "codeBlock", attrs: { language: "ts" }, content: [{ type: "text", text: "let a = 1;" }] },
];

/** Makes requests that the description allows, with ids of things that are there. */
export class Valid {
  readonly #scene: Scene;
  readonly #random: Random;
  /** Fields that must be there, optional or not. */
  readonly #wanted: ReadonlySet<string>;

  constructor(scene: Scene, random: Random, wanted: readonly string[] = []) {
    this.#scene = scene;
    this.#random = random;
    this.#wanted = new Set(wanted);
  }

  async call(operation: Operation): Promise<Call> {
    const place = await this.#scene.place(operation);
    const query: Record<string, unknown> = {};
    for (const { name, required, schema } of operation.query)
      if (required || this.#isIncluded(name, 20)) query[name] = await this.#field(name, schema, place);
    const body = operation.multipart
      ? this.#form(operation)
      : operation.body && (await this.#of(operation.body, place));
    const headers: Record<string, string> = operation.conditional ? { "if-match": "*" } : {};
    return { operation, path: place.path, query, body, headers };
  }

  #isIncluded(name: string, percent: number): boolean {
    return this.#wanted.has(name) || (this.#wanted.size === 0 && chance(this.#random, percent));
  }

  #form(operation: Operation): FormData {
    const form = new FormData();
    for (const name of Object.keys(operation.body.properties)) {
      if (name === "file") form.set(name, new Blob(["Hello."]), "hello.txt");
      else if (name === "document_id") form.set(name, this.#scene.document.id);
    }
    return form;
  }

  async #field(name: string, schema: Schema, place: Place): Promise<unknown> {
    const provided = [`${place.path} ${name}`, name].find((key) => key in providers);
    if (provided !== undefined) return this.#scene.value(provided, place);
    if (isIdField(name)) throw new Error(`No provider gives a value for ${name}: add one to support/hostile/scene.ts.`);
    return this.#of(schema, place);
  }

  async #of(given: Schema, place: Place): Promise<unknown> {
    if (given.$ref?.endsWith("/Node")) return pick(this.#random, NODES);
    const schema = resolved(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(this.#random, schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#of(this.#choice(choices), place);
    if (schema.properties) return this.#object(schema, place);
    if (schema.type === "array")
      return [await this.#of(schema.items ?? {}, place)].concat(
        schema.minItems === undefined && chance(this.#random, 30) ? [await this.#of(schema.items ?? {}, place)] : [],
      );
    if (schema.type === "integer" || schema.type === "number") return this.#number(schema);
    if (schema.type === "boolean") return chance(this.#random, 50);
    if (schema.type === "string") return `Some text ${this.#random(1000)}`.slice(0, schema.maxLength ?? 100);
    return {};
  }

  /** The way that has a wanted field, if one has. */
  #choice(choices: readonly Schema[]): Schema {
    return choices.find((schema) => this.#isWantedIn(schema)) ?? pick(this.#random, choices);
  }

  #isWantedIn(schema: Schema): boolean {
    return this.#wanted.size > 0 && !fieldsOf(schema).isDisjointFrom(this.#wanted);
  }

  #number({ minimum = 0, maximum = 100 }: Schema): number {
    return minimum + this.#random(Math.min(maximum - minimum + 1, 20));
  }

  /** The fields to send: what is required, by the schema or by its words, and some of the others. */
  #included(schema: Schema): Set<string> {
    const all = Object.keys(schema.properties);
    const one =
      all.find((name) => this.#wanted.has(name) || this.#isWantedIn(schema.properties[name])) ??
      pick(this.#random, all);
    if (/^Exactly one/.test(schema.description ?? "")) return new Set([one]);
    const isRequired = (name: string) =>
      schema.required?.includes(name) || /^Required/.test(schema.properties[name].description ?? "");
    const names = new Set(
      all.filter((name) => isRequired(name) || this.#isIncluded(name, 40) || this.#isWantedIn(schema.properties[name])),
    );
    return names.size === 0 && schema.minProperties > 0 ? names.add(one) : names;
  }

  async #object(schema: Schema, place: Place): Promise<Record<string, unknown>> {
    const value: Record<string, unknown> = {};
    const names = this.#included(schema);
    for (const [name, inner] of Object.entries<Schema>(schema.properties)) {
      if (!names.has(name)) continue;
      const field = await this.#field(name, inner, place);
      if (field !== undefined) value[name] = field;
    }
    return value;
  }
}
