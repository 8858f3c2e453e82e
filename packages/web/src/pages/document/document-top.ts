import { type Html, html, type Part } from "../../html.ts";
import { icon } from "../../icons.ts";
import type { Here, Named } from "../../page.ts";
import { plural } from "../../parts.ts";
import { time } from "../../time.ts";
import { type Watch, watchButton } from "../discussion/watch.ts";
import { trail } from "../library/browse.ts";

export interface DocumentHead {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
  readonly locale: string | null;
  readonly updatedAt: number;
  /** The name of who changed it last; null where it is not known any more. */
  readonly updatedBy: string | null;
  readonly characters: number;
  /** New pages can begin as a copy of it. */
  readonly isTemplate: boolean;
  /** Headings are numbered, as the document says. */
  readonly isNumbered: boolean;
  /** A sign before the title: the property `icon`. */
  readonly icon: string;
  /** Text as wide as the window: the property `full_width`. */
  readonly isWide: boolean;
  /** The colour behind the text, as `#rrggbb`; empty for none. */
  readonly background: string;
  /** Headings whose sections are folded, as a JSON list of their ids. */
  readonly collapsed: string;
  readonly knowledgeBase: Named;
  readonly folders: readonly Named[];
  readonly canWrite: boolean;
  readonly isFavourite: boolean;
  readonly openSuggestions: number;
  readonly maySuggest: boolean;
  readonly watch: Watch;
}

/** The classes of what holds the text, for how the document wants to look. */
export const lookOf = ({ isWide, background }: DocumentHead): Html =>
  html`${isWide && " full-width"}${background !== "" && " coloured"}`;

type DocumentPart = "read" | "edit" | "versions" | "translations" | "suggestions" | "suggest";

/** Path, title and the ways into a document: the same on all its pages. */
export const documentTop = (head: DocumentHead, here: DocumentPart, now: number): Html =>
  html`${documentTitle(head, here, now)}
<div class="tab-line">${tabs(head, here)}</div>`;

/** The same without the ways, for a page that has them in its bar. */
export const documentTitle = (head: DocumentHead, here: DocumentPart, now: number): Html => html`<div class="top">
${trail(head.knowledgeBase, head.folders)}
<div class="title-line" dir="auto"><h1 class="document-title">${head.icon === "" ? icon(head.type) : html`<span class="page-icon" aria-hidden="true">${head.icon}</span>`}<span class="title-text" ${head.canWrite && html`data-rename`} data-title data-kind="document" data-id="${head.id}">${head.title}</span></h1><button type="button" class="icon-button star-button" hidden data-favourite="${head.id}" aria-pressed="${head.isFavourite ? "true" : "false"}" aria-label="Favourite">${icon("star")}</button>${watchButton(head.watch)}</div>
<p class="row-facts"><span>Changed ${time(head.updatedAt, now)}${head.updatedBy && html` by <bdi>${head.updatedBy}</bdi>`}</span>${here !== "edit" && html`<span class="roomy">${plural(head.characters, "character")}</span>`}${head.locale && html`<span>${head.locale}</span>`}${head.isTemplate && html`<span class="tag">Template</span>`}</p>
</div>`;

/** The ways to use the page come first, what is told about it after them. */
export const tabs = (head: DocumentHead, here: DocumentPart): Html =>
  html`<nav class="tabs" aria-label="Document">${tab(head.id, "", "Read", here === "read")}${head.canWrite && tab(head.id, "/edit", "Edit", here === "edit")}${head.maySuggest && tab(head.id, "/suggest", "Suggest", here === "suggest")}${tab(head.id, "/versions", "Versions", here === "versions")}${tab(head.id, "/suggestions", head.openSuggestions > 0 ? `Suggestions (${head.openSuggestions})` : "Suggestions", here === "suggestions")}</nav>`;

const tab = (id: string, path: string, label: string, isHere: boolean): Part =>
  html`<a href="/documents/${id}${path}" ${isHere && html`aria-current="page"`}>${label}</a>`;

/** Where a page about the document stands in the tree. */
export const hereOf = ({ knowledgeBase, folders, id, title, type }: DocumentHead): Here => ({
  baseId: knowledgeBase.id,
  folders,
  document: { id, title, type },
});
