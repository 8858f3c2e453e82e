import { defined } from "@svc/document/defined";
import type { ShownOperation } from "@svc/web/server/pages/reference/operation";
import { markdownHtml } from "../rendering/markdown-html.ts";
import { describedField, fieldsOf, type Schema, typeOf } from "./shown-schema.ts";

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Reference {
  readonly $ref: string;
}

/** An operation in the description. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

/** The parts of the description that the pages show. */
export interface Description {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** Fields of every answer, which only the first page explains. */
const INTRODUCED = new Set(["page", "request_id"]);

function shapeOf(content: Readonly<Record<string, Media>> | undefined) {
  const [first] = Object.entries(content ?? {});
  if (!first) return undefined;
  const [contentType, { schema, example }] = first;
  const fields = fieldsOf(schema).filter(({ name }) => !INTRODUCED.has(name.replace(/\..*$/, "")));
  return {
    contentType,
    type: fields.length === 0 && contentType === "application/json" ? typeOf(schema) : undefined,
    fields,
    example: example === undefined || typeof example !== "object" ? undefined : JSON.stringify(example, null, 2),
  };
}

const componentName = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

const resolveAnswer = (given: Answer | Reference, { responses }: Description["components"]): Answer =>
  "$ref" in given ? defined(responses[componentName(given)]) : given;

/** An operation of the description as its page shows it. */
export function shownOperation(
  method: string,
  path: string,
  operation: DescribedOperation,
  { components }: Description,
): ShownOperation {
  const parameters = (operation.parameters ?? []).map((given) =>
    given.$ref ? (components.parameters[given.$ref.slice(given.$ref.lastIndexOf("/") + 1)] ?? given) : given,
  );
  const answers = Object.entries(operation.responses).map(
    ([status, given]) => [status, resolveAnswer(given, components)] as const,
  );
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: markdownHtml(operation.description ?? ""),
    parameters: parameters.map(({ name, in: place, required, description, schema }) => ({
      ...describedField(name, { ...schema, ...(description && { description }) }, required === true),
      place,
    })),
    body: shapeOf(operation.requestBody?.content),
    answers: answers
      .filter(([status]) => status < "400")
      .map(([status, { description, content }]) => ({
        status,
        description: markdownHtml(description),
        shape: shapeOf(content),
      })),
    refusals: answers
      .filter(([status]) => status >= "400")
      .map(([status, { description }]) => ({ status, description: markdownHtml(description) })),
  };
}
