import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, fileSize, form, plural } from "../../../shared/parts.ts";
import { commentsPart, type Discussion } from "../discussion/comments.ts";
import { itemList, type PlaceItem } from "../library/rows.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf, lookOf } from "./document-top.ts";
import { editingParts, presence, surface } from "./edit.ts";
import { languageList, type Variant } from "./languages.ts";
import { contents, type OutlineItem } from "./outline.ts";
import { type PanelName, panels } from "./panels.ts";
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

interface Document {
  readonly head: DocumentHead;
  readonly outline: readonly OutlineItem[];
  /** The version of the shown body. */
  readonly version: string;
  readonly content: Html;
  /** Undefined if the service has none. */
  readonly backlinks: { readonly list: readonly Backlink[]; readonly hasMore: boolean } | undefined;
  /** Undefined for a document of one language. */
  readonly variants: readonly Variant[] | undefined;
  /** Pages that this one points to. */
  readonly related: readonly { readonly id: string; readonly title: string }[];
  readonly summary: { readonly content: Html; readonly isStale: boolean } | undefined;
  readonly concepts: readonly { readonly id: string; readonly name: string }[];
  /** Pages and folders below this one. */
  readonly subpages: readonly PlaceItem[];
  readonly files: Files;
  /** Name and text of each property, of a list each member. */
  readonly properties: readonly (readonly [name: string, values: readonly string[]])[];
  readonly discussion: Discussion;
  readonly share: Share | undefined;
  /** For how many days a deleted document can be restored. */
  readonly retentionDays: number;
  readonly userId: string;
  /** Titles of the pages that the text links to, by their ids; null for one that is not there. */
  readonly linkTitles: Readonly<Record<string, string | null>>;
  /** Whether remote pictures are shown without being asked for. */
  readonly remotePictures: "on" | "off";
  /** The person only wants to read. */
  readonly isViewing: boolean;
  /** The panel that the address asks for. */
  readonly panel: PanelName | undefined;
  readonly formToken: string;
  readonly now: number;
}

/** The panel that a page opens with. */
const firstPanel = ({ discussion, outline, panel }: Document): PanelName =>
  panel ?? (discussion.threads.length > 0 || outline.length === 0 ? "comments" : "contents");

const isLiving = ({ head, isViewing }: Document): boolean => head.canWrite && head.type === "document" && !isViewing;

/** The page as it is read; whoever may edit clicks into its text. `now`: the editor takes over at once. */
export const documentPage = (input: Document, when: "now" | "click" = "click"): Page => ({
  title: input.head.title,
  here: hereOf(input.head),
  shape: "wide",
  styles: ["discussion.css", ...(isLiving(input) || when === "now" ? ["editor.css"] : [])],
  scripts: [
    "document.js",
    "islands/reading.js",
    "islands/living-page.js",
    ...(when === "now" ? ["islands/editor.js"] : []),
    "islands/discussion.js",
  ],
  preloads: when === "now" ? [`/documents/${input.head.id}/live/state`] : [],
  main: html`${documentTop(input.head, when === "now" ? "edit" : "read", input.now, {
    hasPanels: true,
    isViewing: input.isViewing,
    presence: isLiving(input) || when === "now" ? presence(when === "now" ? "Connecting…" : "") : undefined,
    share:
      input.share &&
      sharePart({
        share: input.share,
        path: `/documents/${input.head.id}`,
        shows: "the document",
        formToken: input.formToken,
        now: input.now,
      }),
    more: input.head.canWrite && [subpageActions(input), templatePart(input), deletePart(input)],
  })}
${(isLiving(input) || when === "now") && editingParts}
${when === "now" && html`<noscript><p class="banner">Editing needs JavaScript; this is the document as it is saved.</p></noscript>`}
<div class="reading">
${textPart(input, when)}
${panels(firstPanel(input), {
  contents: contents(input.outline),
  comments: commentsPart(input.discussion),
  info: infoPart(input),
})}</div>
${subpagesPart(input)}`,
});

const subpagesPart = ({ head, subpages, now }: Document): Part =>
  subpages.length > 0 &&
  !head.hidesSubpages &&
  html`<section class="subpages" aria-labelledby="subpages"><h2 id="subpages">Pages below</h2>${itemList(subpages, now)}</section>`;

/** Makes a page below this one, and shows or hides the list of them. */
const subpageActions = ({ head, subpages, formToken }: Document): Part =>
  html`${form(`/documents/${head.id}/subpages`, formToken, html`<button class="menu-item">New page below</button>`)}${
    subpages.length > 0 &&
    form(
      `/documents/${head.id}/subpages/${head.hidesSubpages ? "show" : "hide"}`,
      formToken,
      html`<button class="menu-item">${head.hidesSubpages ? "List" : "Do not list"} the pages below</button>`,
    )
  }`;

function textPart(input: Document, when: "now" | "click"): Part {
  const { head } = input;
  const isEmpty = input.content.text.trim() === "";
  const attributes = html`${head.collapsed !== "[]" && html`data-collapsed="${head.collapsed}"`} data-shown-version="${input.version}" ${head.canWrite && html`data-tickable="${head.id}"`}`;
  if (when === "now") return surface(input, "edit", when);
  const content = isEmpty ? html`${emptyText(head)}` : input.content;
  if (isLiving(input)) return surface({ ...input, content }, "edit", when, attributes);
  return html`<article class="prose${head.isNumbered && " numbered"}${lookOf(head)}" aria-label="${head.title}" ${attributes}>${content}</article>`;
}

/** Properties, links, languages and files of the page. */
const infoPart = (input: Document): Part => html`
${input.properties.length > 0 && propertyList(input.properties)}
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
<section><h2>Size</h2><p class="hint">${plural(input.head.characters, "character")}</p></section>`;

const emptyText = ({ id, canWrite, type }: DocumentHead): Part =>
  html`<div class="empty"><p>This ${type === "document" ? "page" : "spreadsheet"} is empty.</p>${canWrite && html`<p><a class="button button-main" href="/documents/${id}/edit">${type === "document" ? "Write something" : "Fill it in"}</a></p>`}</div>`;

const propertyList = (properties: Document["properties"]): Part =>
  html`<section class="properties"><h2>Properties</h2><dl>${properties.map(
    ([name, values]) =>
      html`<dt><bdi>${name}</bdi></dt><dd>${values.map((value) => html`<span class="tag"><bdi>${linked(value)}</bdi></span> `)}</dd>`,
  )}</dl></section>`;

/** Links a value that is a web address. */
const linked = (value: string): Part =>
  /^https?:\/\/\S+$/i.test(value) ? html`<a href="${value}" rel="noopener noreferrer">${value}</a>` : value;

const summaryPart = (summary: { readonly content: Html; readonly isStale: boolean }): Part =>
  html`<details class="summary-part"><summary><h2>Summary</h2></summary>${summary.isStale && html`<p class="hint">Based on an earlier version.</p>`}<div class="summary-text" dir="auto">${summary.content}</div></details>`;

const linkList = (title: string, links: readonly { readonly href: string; readonly label: string }[]): Part =>
  html`<section><h2>${title}</h2><ul class="plain">${links.map(({ href, label }) => html`<li><a href="${href}"><bdi>${label}</bdi></a></li>`)}</ul></section>`;

const backlinkList = ({
  list,
  hasMore,
}: Exclude<Document["backlinks"], undefined>): Part => html`<section><h2>Linked from</h2>
${
  list.length === 0
    ? html`<p class="hint">No pages link here yet.</p>`
    : html`<ul class="plain">${list.map(
        (link) =>
          html`<li><a href="/documents/${link.documentId}${link.blockId && html`?block=${link.blockId}#${link.blockId}`}"><bdi>${link.title}</bdi></a>${link.predicate !== "refers_to" && html` <span class="tag">${link.predicate.replaceAll("_", " ")}</span>`}${link.text && link.text !== link.title && html`<small><bdi>${link.text}</bdi></small>`}</li>`,
      )}</ul>`
}${hasMore && html`<p class="hint">Only the first links are shown.</p>`}</section>`;

const filesPart = ({ files, head, formToken, retentionDays }: Document): Part => html`<section id="files"><h2>Files</h2>
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

const templatePart = ({ head, formToken }: Document): Part =>
  head.isTemplate
    ? form(
        `/documents/${head.id}/no-template`,
        formToken,
        html`<button class="menu-item" title="This page is a template: new pages can start as a copy of it.">Stop using as template</button>`,
      )
    : form(`/documents/${head.id}/template`, formToken, html`<button class="menu-item">Use as a template</button>`);

const deletePart = ({ head, formToken, retentionDays }: Document): Part =>
  confirm(
    "Delete page",
    retentionDays === 0
      ? "The page, its files and its versions are deleted permanently."
      : `The page moves to the trash and can be restored for ${plural(retentionDays, "day")}.`,
    form(`/documents/${head.id}/delete`, formToken, html`<button class="button button-danger">Delete</button>`),
  );
