import type { TSchema } from "typebox";
import { Operation, Position } from "../../domain/content/blocks/schema.ts";
import { NodeSchema } from "../../domain/content/content/schema.ts";
import { OutlineItem } from "../../domain/content/reading/schema.ts";
import { errorCodes, messageOf, statusOf } from "../../error-codes.ts";
import { hints } from "../../hints.ts";
import { API_PREFIX } from "../../http/mount.ts";
import type { Route } from "../../http/route.ts";
import { subjectName } from "../../http/subject-name.ts";
import { API_VERSION } from "./describe.ts";
import { errorsOf } from "./errors-of.ts";
import { AGENT_GUIDE } from "./guide.ts";

/** A page of the reference that is not about one subject, for example the one about the nodes of a body. */
export interface ExtraPage {
  readonly name: string;
  readonly title: string;
  readonly text: () => string;
}

const tagsOf = (routes: readonly Route[]): string[] => [...new Set(routes.map((route) => route.tag))];

/** The first page of the reference: a guide, then every operation, with a link to the page of its subject. */
export const index = (routes: readonly Route[], introduction: string, extra: readonly ExtraPage[]): string =>
  [
    `# svc API reference\n\nVersion ${API_VERSION}. The machine-readable description is \`/api/openapi.json\`, or of one subject \`/api/openapi/<subject>.json\`; where the two differ, that one is right. A map of what else is served: \`/llms.txt\`.\n`,
    introduction,
    "",
    AGENT_GUIDE,
    `## Operations\n\n${tagsOf(routes)
      .map((tag) => indexLine(tag, routes))
      .join("\n")}`,
    "## More\n",
    ...extra.map(({ name, title }) => `- [${title}](/api-docs/${name}.md)`),
    "- [Shapes](/api-docs/shapes.md): positions, operations of a batch, outline items, nodes\n- [Errors](/api-docs/errors.md): every code, and what to do\n",
  ].join("\n");

const indexLine = (tag: string, routes: readonly Route[]): string =>
  [
    `### [${tag}](/api-docs/${subjectName(tag)}.md)\n`,
    ...routes
      .filter((route) => route.tag === tag)
      .map(({ method, path, summary }) => `- ${method} ${API_PREFIX}${path}: ${summary}`),
    "",
  ].join("\n");

/** Every other page, by name. */
export function subjectPages(routes: readonly Route[], extra: readonly ExtraPage[]): ReadonlyMap<string, string> {
  const pages = tagsOf(routes).map((tag): [string, string] => [
    subjectName(tag),
    `# ${tag}\n\n${routes
      .filter((route) => route.tag === tag)
      .map(operation)
      .join("\n")}`,
  ]);
  return new Map([
    ...pages,
    ...extra.map(({ name, text }): [string, string] => [name, text()]),
    ["shapes", shapesPage()],
    ["errors", errorTable()],
  ]);
}

/** Shapes that several calls share, in full. */
const shapesPage = (): string =>
  `# Shapes\n\n${[Position, Operation, OutlineItem, NodeSchema].map(shapeOf).join("\n")}`;

function shapeOf(schema: object): string {
  const { "x-component": name, "x-described": described }: Record<string, unknown> = { ...schema };
  return `## ${name}\n\n\`\`\`json\n${JSON.stringify(described, null, 1)}\n\`\`\`\n`;
}

function operation(route: Route): string {
  const scopes =
    route.scopes === "public"
      ? "none, no token needed"
      : route.scopes.map((s) => `\`${s}\``).join(", ") || "any valid token";
  const parts = [
    `### ${route.method} ${API_PREFIX}${route.path}\n\n${route.summary}${route.description ? ` ${route.description}` : ""}\n`,
    `- Scope: ${scopes}`,
    route.ifMatch && `- \`If-Match\`: ${route.ifMatch}`,
    route.etag && "- Answers an `ETag`",
    `- Success: ${route.success.status}, ${route.success.description}`,
    `- Errors: ${errorsOf(route)
      .map((code) => `${statusOf(code)} \`${code}\``)
      .join(", ")}\n`,
    fields("Path", route.params),
    fields("Query", route.query),
    route.query && "patternProperties" in route.query
      ? "Also `property.<name>=<value>`, such as `property.status=done`: only documents with that value of a property, or a list with that member.\n"
      : "",
    fields("Body", route.body),
    fields(route.success.list ? "Each item of `data`" : "`data`", route.success.data),
    exampleOf(route),
  ];
  return parts.filter(Boolean).join("\n");
}

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  description?: string;
  default?: unknown;
  const?: unknown;
}

function fields(title: string, schema: TSchema | undefined): string {
  const shape = schema as Shape | undefined;
  if (!shape?.properties || Object.keys(shape.properties).length === 0) return "";
  const rows = Object.entries(shape.properties).map(([name, field]) => {
    const required = shape.required?.includes(name) ? "yes" : "no";
    const notes = [field.description, field.default !== undefined && `default \`${JSON.stringify(field.default)}\``];
    return `| \`${name}\` | ${typeName(field)} | ${required} | ${notes.filter(Boolean).join("; ").replaceAll("|", "\\|")} |`;
  });
  return `${title}:\n\n| Field | Type | Required | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

function typeName(shape: Shape): string {
  if (shape.enum) return shape.enum.map((value) => `\`${value}\``).join(" ");
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``;
  if (shape.anyOf) return shape.anyOf.map(typeName).join(" or ");
  if (shape.type === "array") return `array of ${shape.items ? typeName(shape.items) : "anything"}`;
  if (shape.properties)
    return `object (${Object.keys(shape.properties)
      .map((key) => `\`${key}\``)
      .join(", ")})`;
  return shape.type ?? "any";
}

const exampleOf = ({ success }: Route): string =>
  success.example === undefined
    ? ""
    : `Example:\n\n\`\`\`json\n${JSON.stringify({ data: success.list ? [success.example] : success.example }, null, 2)}\n\`\`\`\n`;

const errorTable = (): string =>
  `# Errors\n\n\`details.hint\` says the next call to make; where an error knows more, its own hint replaces this one.\n\n| Status | Code | Meaning | What to do |\n| --- | --- | --- | --- |\n${errorCodes.map((code) => `| ${statusOf(code)} | \`${code}\` | ${messageOf(code)} | ${hints[code]} |`).join("\n")}\n`;
