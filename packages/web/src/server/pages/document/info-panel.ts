import { type Html, html, type Part } from "../../../shared/html.ts";
import { confirm, fileSize, form, plural } from "../../../shared/parts.ts";
import type { DocumentHead } from "./document-head.ts";
import { languageList, type Variant } from "./languages.ts";

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
  /** Whether the text uses it; then it cannot be deleted. */
  readonly isUsed: boolean;
  /** The blocks that show it, with the heading that each stands below. */
  readonly uses: readonly { readonly blockId: string; readonly text: string | undefined }[];
}

/** A hundred of the files, or fewer. */
interface Files {
  readonly list: readonly FileItem[];
  /** The address of the next page of files. */
  readonly next: string | undefined;
  /** Whether these are the first. */
  readonly isFirst: boolean;
}

/** The facts about a page beside its text. */
export interface InfoPanel {
  readonly head: DocumentHead;
  /** Undefined if the service has none. */
  readonly backlinks: { readonly list: readonly Backlink[]; readonly hasMore: boolean } | undefined;
  /** Undefined for a document of one language. */
  readonly variants: readonly Variant[] | undefined;
  /** Pages that this one points to. */
  readonly related: readonly { readonly id: string; readonly title: string }[];
  readonly summary: { readonly content: Html; readonly isStale: boolean } | undefined;
  readonly concepts: readonly { readonly id: string; readonly name: string }[];
  readonly files: Files;
  /** Name and text of each property, of a list each member. */
  readonly properties: readonly (readonly [name: string, values: readonly string[]])[];
  /** For how many days a deleted document can be restored. */
  readonly retentionDays: number;
  readonly formToken: string;
}

/** Properties, links, languages and files of the page. */
export const infoPanel = (input: InfoPanel): Part => html`
${(input.properties.length > 0 || input.head.canWrite) && propertyList(input)}
${input.head.type === "document" && authorsPart(input.head)}
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
<section><h2>Size</h2><p class="hint" ${input.head.type === "document" && html`data-size`}>${plural(input.head.characters, "character")}</p></section>`;

/** Writers edit the values in place, by script. */
const propertyList = ({ properties, head }: InfoPanel): Part =>
  html`<section class="properties ${properties.length === 0 && "with-script"}" ${head.canWrite && html`data-properties="${head.id}"`}><h2>Properties</h2><dl>${properties.map(
    ([name, values]) =>
      html`<dt><bdi>${name}</bdi></dt><dd>${values.map((value) => html`<span class="tag"><bdi>${linked(value)}</bdi></span> `)}</dd>`,
  )}</dl></section>`;

/** Filled in by a script when the panel is opened. */
const authorsPart = ({ id }: DocumentHead): Part =>
  html`<section class="with-script" data-authors="${id}"><h2>Authors</h2><p class="hint" data-paragraph-author hidden></p><ul class="plain" data-author-list></ul></section>`;

/** Links a value that is a web address. */
const linked = (value: string): Part =>
  /^https?:\/\/\S+$/i.test(value) ? html`<a href="${value}" rel="noopener noreferrer">${value}</a>` : value;

const summaryPart = (summary: { readonly content: Html; readonly isStale: boolean }): Part =>
  html`<details class="summary-part"><summary><h2>Summary</h2></summary>${summary.isStale && html`<p class="hint">Based on an earlier version.</p>`}<div class="summary-text" dir="auto">${summary.content}</div></details>`;

const linkList = (title: string, links: readonly { readonly href: string; readonly label: string }[]): Part =>
  html`<section><h2>${title}</h2><ul class="plain">${links.map(({ href, label }) => html`<li><a href="${href}"><bdi>${label}</bdi></a></li>`)}</ul></section>`;

/** Pages that link here, each once, with the sentences around its links. */
const backlinkList = ({
  list,
  hasMore,
}: Exclude<InfoPanel["backlinks"], undefined>): Part => html`<section><h2>Linked from</h2>
${
  list.length === 0
    ? html`<p class="hint">No pages link here yet.</p>`
    : html`<ul class="plain">${[...Map.groupBy(list, ({ documentId }) => documentId).values()].map(linkingPage)}</ul>`
}${hasMore && html`<p class="hint">Only the first links are shown.</p>`}</section>`;

const addressOf = ({ documentId, blockId }: Backlink): Html =>
  html`/documents/${documentId}${blockId && html`?block=${blockId}#${blockId}`}`;

function linkingPage(links: readonly Backlink[]): Part {
  const [first] = links;
  const predicates = [...new Set(links.map(({ predicate }) => predicate))].filter((one) => one !== "refers_to");
  const sentences = links.filter(({ text, title }) => text && text !== title);
  return (
    first &&
    html`<li><a href="${addressOf(first)}"><bdi>${first.title}</bdi></a>${predicates.map((one) => html` <span class="tag">${one.replaceAll("_", " ")}</span>`)}${sentences.map((link) => html`<small><a href="${addressOf(link)}"><bdi>${link.text}</bdi></a></small>`)}</li>`
  );
}

const filesPart = ({
  files,
  head,
  formToken,
  retentionDays,
}: InfoPanel): Part => html`<section id="files"><h2>Files</h2>
${!files.isFirst && html`<p><a href="/documents/${head.id}#files">First files</a></p>`}
${files.list.length === 0 ? html`<p class="hint">${files.isFirst ? "Drop a file on this page, or paste a picture." : "There are no more."}</p>` : html`<ul class="plain">${files.list.map((file) => fileItem(file, head, () => deleteFile(file, head, formToken, retentionDays)))}</ul>`}
${files.next && html`<p><a href="${files.next}">More files</a></p>`}
${head.canWrite && html`<label class="button button-small upload with-script">Upload a file<input class="visually-hidden" type="file" multiple data-upload="${head.id}"></label>`}</section>`;

const fileItem = (file: FileItem, head: DocumentHead, deletion: () => Part): Part =>
  html`<li><a href="/documents/${head.id}/files/${file.id}"><bdi>${file.name}</bdi></a><small>${fileSize(file.bytes)}${
    file.isUsed
      ? html` · used ${file.uses.map(({ blockId, text }, at) => html`${at > 0 && ", "}<a href="#${blockId}">${text ? html`under “<bdi>${text}</bdi>”` : "at the top"}</a>`)}`
      : " · not used on the page"
  }</small>${head.canWrite && (file.isUsed ? keptFile : deletion())}</li>`;

const keptFile = html`<small class="hint">Remove it from the page first.</small>`;

const deleteFile = (file: FileItem, head: DocumentHead, formToken: string, retentionDays: number): Part =>
  confirm(
    "Delete",
    retentionDays === 0
      ? "The file is deleted permanently."
      : `For ${plural(retentionDays, "day")} the command “svc attachments restore” brings it back.`,
    form(
      `/documents/${head.id}/files/${file.id}/delete`,
      formToken,
      html`<button class="button button-danger">Delete file</button>`,
    ),
  );
