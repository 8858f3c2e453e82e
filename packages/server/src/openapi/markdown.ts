import type { TSchema } from "typebox";
import { errorCodes, messageOf, statusOf } from "../errors.ts";
import { hints } from "../hints.ts";
import { API_PREFIX } from "../http/mount.ts";
import type { Route } from "../http/route.ts";
import { API_VERSION } from "./describe.ts";
import { errorsOf } from "./errors-of.ts";
import { AGENT_GUIDE } from "./guide.ts";

/** The whole reference as Markdown, made from the same list as the OpenAPI description. */
export function reference(routes: readonly Route[], introduction: string): string {
  const tags = [...new Set(routes.map((route) => route.tag))];
  return [
    `# svc API reference\n\nVersion ${API_VERSION}. The machine-readable description is \`/api/openapi.json\`; where the two differ, that one is right. A map of what else is served: \`/llms.txt\`.\n`,
    introduction,
    AGENT_GUIDE,
    ...tags.map((tag) =>
      section(
        tag,
        routes.filter((route) => route.tag === tag),
      ),
    ),
    errorTable(),
  ].join("\n");
}

const section = (tag: string, routes: readonly Route[]): string => `## ${tag}\n\n${routes.map(operation).join("\n")}`;

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
  `## Errors\n\n\`details.hint\` says the next call to make; where an error knows more, its own hint stands in place of this one.\n\n| Status | Code | Meaning | What to do |\n| --- | --- | --- | --- |\n${errorCodes.map((code) => `| ${statusOf(code)} | \`${code}\` | ${messageOf(code)} | ${hints[code]} |`).join("\n")}\n`;
