import { type Html, html, type Part } from "../../../shared/html.ts";

/** A field of a body or an answer, or a parameter. */
export interface FieldRow {
  readonly name: string;
  /** Its type, with links to shapes. */
  readonly type: Html;
  readonly isRequired: boolean;
  readonly description: Html;
}

interface Shape {
  readonly contentType: string;
  /** The type as a whole, where it has no fields of its own to list. */
  readonly type: Html | undefined;
  readonly fields: readonly FieldRow[];
  /** As JSON text. */
  readonly example: string | undefined;
}

export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: Html;
  readonly parameters: readonly (FieldRow & { readonly place: string })[];
  readonly body: Shape | undefined;
  readonly answers: readonly {
    readonly status: string;
    readonly description: Html;
    readonly shape: Shape | undefined;
  }[];
  readonly refusals: readonly { readonly status: string; readonly description: Html }[];
}

/** One operation in full: parameters, answers and errors. */
export const operationPart = (
  operation: ShownOperation,
  baseUrl: string,
): Part => html`<section class="operation" id="${operation.id}" aria-labelledby="${operation.id}-title">
<h2 id="${operation.id}-title"><span class="method method-${operation.method.toLowerCase()}">${operation.method}</span> <code>${operation.path}</code></h2>
<p><strong>${operation.summary}</strong></p>
<div class="prose">${operation.description}</div>
${code("Try it", curl(operation, baseUrl))}
${operation.parameters.length > 0 && [html`<h3>Parameters</h3>`, fieldTable(operation.parameters, "Parameters")]}
${operation.body && [html`<h3>Body <small>${operation.body.contentType}</small></h3>`, shapePart(operation.body, "Body")]}
${operation.answers.map(({ status, description, shape }) => [html`<h3>${status} <small>${shape?.contentType}</small></h3>`, html`<div class="prose">${description}</div>`, shape && shapePart(shape, `Answer ${status}`)])}
<details class="more"><summary>Refusals</summary><dl class="refusals">${operation.refusals.map(({ status, description }) => html`<dt>${status}</dt><dd class="prose">${description}</dd>`)}</dl></details>
</section>`;

const shapePart = ({ type, fields, example }: Shape, label: string): Part => [
  type && html`<p>${type}</p>`,
  fields.length > 0 && fieldTable(fields, label),
  example !== undefined && code("Example", example),
];

/** Parameters and fields of a shape; of parameters also where they stand. */
export const fieldTable = (rows: readonly (FieldRow & { readonly place?: string })[], label: string): Html =>
  html`<div class="wide" tabindex="0" role="group" aria-label="${label}"><table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row"><code>${row.name}</code>${row.place && html` <small>${row.place}</small>`}${row.isRequired && html` <small class="required">required</small>`}</th><td>${row.type}</td><td class="prose">${row.description}</td></tr>`,
  )}</tbody></table></div>`;

const code = (label: string, text: string): Html =>
  html`<details class="more"><summary>${label}</summary><pre tabindex="0" aria-label="${label}"><code>${text}</code></pre></details>`;

/** One call from a shell, to be filled in. */
function curl({ method, path, body, parameters }: ShownOperation, baseUrl: string): string {
  const needed = parameters.filter(({ place, isRequired }) => place === "query" && isRequired);
  const query = needed.map(({ name }) => `${name}=…`).join("&");
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${baseUrl}${path}${query && `?${query}`}'`,
    `-H "Authorization: Bearer $SVC_TOKEN"`,
    ...parameters.flatMap(({ name, place, isRequired }) => (place === "header" && isRequired ? `-H '${name}: …'` : [])),
    ...(body?.contentType === "application/json"
      ? ["-H 'Content-Type: application/json'", `-d '${(body.example ?? "{}").replaceAll("'", "'\\''")}'`]
      : body
        ? ["-F 'file=@…'"]
        : []),
  ];
  return lines.join(" \\\n  ");
}
