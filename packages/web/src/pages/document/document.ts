import { type Html, html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { confirm, fileSize, form, plural } from "../../parts.ts";
import { commentsPart, type Discussion } from "../discussion/comments.ts";
import { type DocumentHead, documentTop, hereOf, lookOf } from "./document-top.ts";
import { languageList, type Variant } from "./languages.ts";
import { contents, type OutlineItem } from "./outline.ts";
import { type Share, sharePart } from "./share-part.ts";

interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  readonly text: string;
}

interface FileItem {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** The text shows it, so it cannot be deleted. */
  readonly isUsed: boolean;
  /** The blocks that show it, with the heading that each stands below. */
  readonly uses: readonly { readonly blockId: string; readonly text: string | undefined }[];
}

/** A hundred of the files, or fewer. */
interface Files {
  readonly list: readonly FileItem[];
  /** Where the next ones are. */
  readonly next: string | undefined;
  /** Whether these are the first. */
  readonly isFirst: boolean;
}

interface Document {
  readonly head: DocumentHead;
  readonly outline: readonly OutlineItem[];
  /** Of the body that is shown. */
  readonly version: string;
  readonly content: Html;
  /** Undefined where the service has none. */
  readonly backlinks: { readonly list: readonly Backlink[]; readonly hasMore: boolean } | undefined;
  /** Undefined for a document of one language. */
  readonly variants: readonly Variant[] | undefined;
  /** Pages that this one points to. */
  readonly related: readonly { readonly id: string; readonly title: string }[];
  readonly summary: { readonly text: string; readonly isStale: boolean } | undefined;
  readonly concepts: readonly { readonly id: string; readonly name: string }[];
  readonly files: Files;
  /** Name and text of each property, of a list each member. */
  readonly properties: readonly (readonly [name: string, values: readonly string[]])[];
  readonly discussion: Discussion;
  readonly share: Share | undefined;
  /** For how many days a deleted document can be restored. */
  readonly retentionDays: number;
  readonly formToken: string;
  readonly now: number;
}

export const documentPage = (input: Document): Page => ({
  title: input.head.title,
  here: hereOf(input.head),
  shape: "wide",
  styles: ["discussion.css"],
  scripts: ["outline.js", "document.js", "islands/reading.js", "islands/discussion.js"],
  main: html`${documentTop(input.head, "read", input.now)}
<div class="reading">
<article class="prose${input.head.isNumbered && " numbered"}${lookOf(input.head)}" aria-label="${input.head.title}" ${input.head.collapsed !== "[]" && html`data-collapsed="${input.head.collapsed}"`} data-shown-version="${input.version}" ${input.head.canWrite && html`data-tickable="${input.head.id}"`}>${input.content.text.trim() === "" ? emptyText(input.head) : input.content}</article>
<aside class="beside" aria-label="About this document">
${contents(input.outline)}
${input.properties.length > 0 && propertyList(input.properties)}
${commentsPart(input.discussion)}
${input.summary && summaryPart(input.summary)}
${input.variants && languageList(input.variants, input.head.id)}
${input.backlinks && backlinkList(input.backlinks)}
${
  input.related.length > 0 &&
  linkList(
    "Links to",
    input.related.map(({ id, title }) => ({ href: `/documents/${id}`, label: title })),
  )
}
${
  input.concepts.length > 0 &&
  linkList(
    "Concepts",
    input.concepts.map(({ id, name }) => ({ href: `/concepts/${id}`, label: name })),
  )
}
${(input.head.canWrite || input.files.list.length > 0 || !input.files.isFirst) && filesPart(input)}
${exportPart(input.head)}
${input.share && sharePart({ share: input.share, path: `/documents/${input.head.id}`, shows: "the document", formToken: input.formToken, now: input.now })}
${input.head.canWrite && templatePart(input)}
${input.head.canWrite && deletePart(input)}
</aside></div>`,
});

const emptyText = ({ id, canWrite, type }: DocumentHead): Part =>
  html`<div class="empty"><p>This ${type === "document" ? "page" : "spreadsheet"} is empty.</p>${canWrite && html`<p><a class="button button-main" href="/documents/${id}/edit">${type === "document" ? "Write something" : "Fill it in"}</a></p>`}</div>`;

const propertyList = (properties: Document["properties"]): Part =>
  html`<section class="properties"><h2>Properties</h2><dl>${properties.map(
    ([name, values]) =>
      html`<dt><bdi>${name}</bdi></dt><dd>${values.map((value) => html`<span class="tag"><bdi>${linked(value)}</bdi></span> `)}</dd>`,
  )}</dl></section>`;

/** A value that is an address of the web leads there. */
const linked = (value: string): Part =>
  /^https?:\/\/\S+$/i.test(value) ? html`<a href="${value}" rel="noopener noreferrer">${value}</a>` : value;

const summaryPart = (summary: { readonly text: string; readonly isStale: boolean }): Part =>
  html`<details class="summary-part"><summary><h2>Summary</h2></summary>${summary.isStale && html`<p class="hint">Made from an earlier text.</p>`}<p class="summary-text" dir="auto">${summary.text}</p></details>`;

const linkList = (title: string, links: readonly { readonly href: string; readonly label: string }[]): Part =>
  html`<section><h2>${title}</h2><ul class="plain">${links.map(({ href, label }) => html`<li><a href="${href}"><bdi>${label}</bdi></a></li>`)}</ul></section>`;

const backlinkList = ({
  list,
  hasMore,
}: Exclude<Document["backlinks"], undefined>): Part => html`<section><h2>Linked from</h2>
${
  list.length === 0
    ? html`<p class="hint">No document points here.</p>`
    : html`<ul class="plain">${list.map(
        (link) =>
          html`<li><a href="/documents/${link.documentId}${link.blockId && html`?block=${link.blockId}#${link.blockId}`}"><bdi>${link.title}</bdi></a>${link.predicate !== "refers_to" && html` <span class="tag">${link.predicate.replaceAll("_", " ")}</span>`}${link.text && link.text !== link.title && html`<small><bdi>${link.text}</bdi></small>`}</li>`,
      )}</ul>`
}${hasMore && html`<p class="hint">There are more: these are the first.</p>`}</section>`;

const filesPart = ({ files, head, formToken, retentionDays }: Document): Part => html`<section id="files"><h2>Files</h2>
${!files.isFirst && html`<p><a href="/documents/${head.id}#files">First files</a></p>`}
${files.list.length === 0 ? html`<p class="hint">${files.isFirst ? "Drop a file on this page, or paste a picture." : "There are no more."}</p>` : html`<ul class="plain">${files.list.map((file) => fileItem(file, head, () => deleteFile(file, head, formToken, retentionDays)))}</ul>`}
${files.next && html`<p><a href="${files.next}">More files</a></p>`}
${head.canWrite && html`<label class="button button-small upload" hidden>Upload a file<input class="visually-hidden" type="file" multiple data-upload="${head.id}"></label>`}</section>`;

const fileItem = (file: FileItem, head: DocumentHead, deletion: () => Part): Part =>
  html`<li><a href="/files/${file.id}"><bdi>${file.name}</bdi></a><small>${fileSize(file.bytes)}${
    file.isUsed
      ? html` · shown ${file.uses.map(({ blockId, text }, at) => html`${at > 0 && ", "}<a href="#${blockId}">${text ? html`below “<bdi>${text}</bdi>”` : "at the top"}</a>`)}`
      : " · not shown in the text"
  }</small>${head.canWrite && (file.isUsed ? keptFile : deletion())}</li>`;

const keptFile = html`<small class="hint">Take it out of the text to delete it.</small>`;

const deleteFile = (file: FileItem, head: DocumentHead, formToken: string, retentionDays: number): Part =>
  confirm(
    "Delete",
    retentionDays === 0
      ? "The file is gone for good."
      : `For ${plural(retentionDays, "day")} the command “svc attachments restore” brings it back.`,
    form(
      `/documents/${head.id}/files/${file.id}/delete`,
      formToken,
      html`<button class="button button-danger">Delete file</button>`,
    ),
  );

/** The API's own answers, which the browser saves; on paper, or as PDF, by the browser's own way to print. */
const exportPart = ({ id, title, type }: DocumentHead): Part =>
  html`<section><h2>Export</h2><ul class="plain"><li><a href="/app/api/v1/documents/${id}/content?format=markdown" download="${title}.md">Markdown</a></li><li><a href="/app/api/v1/documents/${id}/content?format=html" download="${title}.html">HTML</a></li>${type === "spreadsheet" && sheetExports(id)}<li><button type="button" class="link-button" data-print hidden>Print, or save as PDF</button></li></ul></section>`;

const sheetExports = (id: string): Part =>
  ["csv", "xlsx"].map(
    (format) =>
      html`<li><a href="/app/api/v1/documents/${id}/spreadsheet?format=${format}" download>${format.toUpperCase()}</a></li>`,
  );

const templatePart = ({ head, formToken }: Document): Part =>
  html`<section><h2>Template</h2>${
    head.isTemplate
      ? [
          html`<p class="hint">New pages can begin as a copy of this one.</p>`,
          form(
            `/documents/${head.id}/no-template`,
            formToken,
            html`<button class="button button-small">No longer a template</button>`,
          ),
        ]
      : form(
          `/documents/${head.id}/template`,
          formToken,
          html`<button class="button button-small">Use as a template</button>`,
        )
  }</section>`;

const deletePart = ({ head, formToken, retentionDays }: Document): Part =>
  html`<section><h2>Delete</h2>${confirm(
    "Delete document",
    retentionDays === 0
      ? "It is gone for good, with its files and versions."
      : `It goes to the trash, and can be restored for ${plural(retentionDays, "day")}.`,
    form(`/documents/${head.id}/delete`, formToken, html`<button class="button button-danger">Delete</button>`),
  )}</section>`;
