import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { plural } from "../../../shared/parts.ts";
import { operationPart, type ShownOperation } from "./operation.ts";

/** A page of the reference in the list beside every page. */
interface ReferenceLink {
  readonly name: string;
  readonly title: string;
}

/** The parts around every page of the reference. */
export interface ReferenceFrame {
  readonly subjects: readonly ReferenceLink[];
  /** Pages that are not about one subject: the guide, shapes, errors. */
  readonly others: readonly ReferenceLink[];
  /** The page that is shown; undefined for the first one. */
  readonly here: string | undefined;
  readonly q: string;
  readonly isMember: boolean;
}

/** An operation in a list. */
export interface OperationLine {
  readonly subject: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

const page = (frame: ReferenceFrame, title: string, main: Html): Page => ({
  title,
  shape: "wide",
  styles: ["reference.css"],
  main: html`<div class="reference">
<div class="reference-side"><p>${frame.isMember ? html`<a href="/knowledge-bases">← Knowledge bases</a>` : html`<a href="/">← svc</a>`}</p>
<form class="reference-search" action="/api-docs" role="search" aria-label="Reference"><input type="search" name="q" value="${frame.q}" maxlength="200" autocomplete="off" aria-label="Search the reference" placeholder="Search"><button class="button button-small">Find</button></form>
<nav class="reference-nav" aria-label="Reference"><p class="reference-first">${linkTo({ name: "", title: "API reference" }, frame.here === undefined && frame.q === "")}</p><details class="reference-list"><summary>Subjects</summary><ul class="plain">${frame.subjects.map((link) => html`<li>${linkTo(link, link.name === frame.here)}</li>`)}</ul></details><ul class="plain">${frame.others.map((link) => html`<li>${linkTo(link, link.name === frame.here)}</li>`)}</ul></nav></div>
<div class="reference-main">${main}</div></div>`,
});

const linkTo = ({ name, title }: ReferenceLink, isHere: boolean): Html =>
  html`<a href="/api-docs${name && `/${name}`}" ${isHere && html`aria-current="page"`}>${title}</a>`;

interface FirstPage {
  readonly frame: ReferenceFrame;
  readonly version: string;
  readonly introduction: Html;
  readonly operations: readonly OperationLine[];
}

/** The start page: an introduction, and every operation by subject. */
export const referencePage = ({ frame, version, introduction, operations }: FirstPage): Page =>
  page(
    frame,
    "API reference",
    html`<h1>API reference</h1>
<p class="row-facts"><span>Version ${version}</span><span><a href="/api/openapi.json">OpenAPI description</a></span><span><a href="/api-docs.md">The same as Markdown</a></span></p>
<div class="prose">${introduction}</div>
${frame.subjects.map(
  ({ name, title }) =>
    html`<section><h2><a href="/api-docs/${name}">${title}</a></h2>${operationList(operations.filter(({ subject }) => subject === name))}</section>`,
)}`,
  );

interface Found {
  readonly frame: ReferenceFrame;
  readonly operations: readonly OperationLine[];
}

/** The operations that contain every word of a query. */
export const referenceSearchPage = ({ frame, operations }: Found): Page =>
  page(
    frame,
    `${frame.q}: API reference`,
    html`<h1>Search</h1><p class="hint">${plural(operations.length, "operation")} for <strong><bdi>${frame.q}</bdi></strong></p>
${operations.length === 0 ? html`<p class="empty">No operation has all of these words. Try a part of an address, such as <a href="/api-docs?q=comments">comments</a>.</p>` : operationList(operations)}`,
  );

interface Subject {
  readonly frame: ReferenceFrame;
  readonly title: string;
  readonly operations: readonly ShownOperation[];
  readonly baseUrl: string;
}

/** Every operation of one subject, in full. */
export const subjectPage = ({ frame, title, operations, baseUrl }: Subject): Page =>
  page(
    frame,
    `${title}: API reference`,
    html`<h1>${title}</h1>
<p class="row-facts"><span><a href="/api/openapi/${frame.here}.json">OpenAPI description</a></span><span><a href="/api-docs/${frame.here}.md">Markdown</a></span></p>
<ul class="operation-list">${operations.map((one) => operationItem(one, `#${one.id}`))}</ul>
${operations.map((operation) => operationPart(operation, baseUrl))}`,
  );

/** A text of the reference beside the operations. */
export const referenceTextPage = (frame: ReferenceFrame, title: string, text: Html): Page =>
  page(frame, `${title}: API reference`, html`<div class="prose">${text}</div>`);

const operationList = (operations: readonly OperationLine[]): Part =>
  html`<ul class="operation-list">${operations.map((one) => operationItem(one, `/api-docs/${one.subject}#${one.id}`))}</ul>`;

const operationItem = ({ method, path, summary }: Omit<OperationLine, "subject">, href: string): Part =>
  html`<li><a href="${href}"><span class="method method-${method.toLowerCase()}">${method}</span> <code>${path}</code></a><span class="hint">${summary}</span></li>`;
