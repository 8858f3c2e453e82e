import { nodeGuide } from "@svc/document/guide/node-guide";
import { fieldTable } from "@svc/web/server/pages/reference/operation";
import {
  type OperationLine,
  type ReferenceFrame,
  referencePage,
  referenceSearchPage,
  referenceTextPage,
  subjectPage,
} from "@svc/web/server/pages/reference/reference";
import { type Html, html } from "@svc/web/shared/html";
import { notFound } from "../../../errors.ts";
import { subjectName } from "../../../http/subject-name.ts";
import { routes } from "../../../routes.ts";
import { describe } from "../../openapi/describe.ts";
import { AGENT_GUIDE } from "../../openapi/guide.ts";
import { subjectPages } from "../../openapi/markdown.ts";
import { once } from "../../openapi/once.ts";
import { markdownHtml } from "../rendering/markdown-html.ts";
import { type Outcome, publicGet, show, type Visit } from "../visit.ts";
import { type DescribedOperation, type Description, shownOperation } from "./shown-operation.ts";
import { fieldsOf, typeOf } from "./shown-schema.ts";

/** The description as its readers get it: from its JSON. */
const description = once((): Description => JSON.parse(JSON.stringify(describe(routes))));

interface Described extends OperationLine {
  readonly operation: DescribedOperation;
}

const operations = once((): Described[] =>
  Object.entries(description().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      subject: subjectName(operation.tags[0] ?? ""),
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      operation,
    })),
  ),
);

const subjects = once(() =>
  [...new Set(routes.map(({ tag }) => tag))].map((title) => ({ name: subjectName(title), title })),
);

const shown = once(
  () =>
    new Map(
      operations().map(({ id, method, path, operation }) => [
        id,
        shownOperation(method, path, operation, description()),
      ]),
    ),
);

const shapes = once(
  (): Html =>
    html`<h1>Shapes</h1>${Object.entries(description().components.schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => {
        const fields = fieldsOf(schema);
        return html`<section id="${name}"><h2>${name}</h2>${schema.description && markdownHtml(schema.description)}${fields.length > 0 ? fieldTable(fields, name) : html`<p>${typeOf(schema)}</p>`}</section>`;
      })}`,
);

const errors = once(() => markdownHtml(subjectPages(routes, []).get("errors") ?? ""));

/** Pages that are not about one subject. */
const TEXTS: readonly { readonly name: string; readonly title: string; readonly text: () => Html }[] = [
  { name: "guide", title: "Guide for agents", text: once(() => markdownHtml(AGENT_GUIDE.replace(/^##/, "#"))) },
  { name: "nodes", title: "Nodes and marks of a body", text: once(() => markdownHtml(nodeGuide())) },
  { name: "shapes", title: "Shapes", text: shapes },
  { name: "errors", title: "Errors", text: errors },
];

const frameOf = (visit: Visit, here: string | undefined, q = ""): ReferenceFrame => ({
  subjects: subjects(),
  others: TEXTS,
  here,
  q,
  isMember: visit.viewer !== undefined,
});

/** Whether an operation contains every word. */
const hasAll = ({ method, path, id, summary, operation }: Described, words: readonly string[]): boolean => {
  const text = [method, path, id, summary, operation.description, operation.tags].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
};

async function showFirst(visit: Visit): Promise<Outcome> {
  const q = (visit.query.get("q") ?? "").trim().slice(0, 200);
  const frame = frameOf(visit, undefined, q);
  if (q !== "") {
    const words = q.toLowerCase().split(/\s+/);
    return show(referenceSearchPage({ frame, operations: operations().filter((one) => hasAll(one, words)) }));
  }
  const { version, description: text } = description().info;
  return show(referencePage({ frame, version, introduction: markdownHtml(text), operations: operations() }));
}

async function showOne(visit: Visit): Promise<Outcome> {
  const name = visit.params.page ?? "";
  const frame = frameOf(visit, name);
  const text = TEXTS.find((one) => one.name === name);
  if (text) return show(referenceTextPage(frame, text.title, text.text()));
  const subject = subjects().find((one) => one.name === name);
  if (!subject) throw notFound("page", name);
  const own = operations().flatMap(({ subject, id }) => (subject === name ? (shown().get(id) ?? []) : []));
  return show(subjectPage({ frame, title: subject.title, operations: own, baseUrl: visit.baseUrl }));
}

/** The API reference for people, rendered on the server in our own frame. */
export const referencePages = [
  publicGet("/api-docs", showFirst),
  publicGet("/api-docs/", showFirst),
  publicGet("/api-docs/:page", showOne),
];
