import { type Html, html } from "../../../shared/html.ts";
import type { Here } from "../../../shared/page.ts";
import { time } from "../../time.ts";
import type { DocumentHead, DocumentPart } from "./document-head.ts";
import { type BarParts, pageBar } from "./page-bar.ts";

/** The classes of what holds the text, for how the document wants to look. */
export const lookOf = ({ isWide, background }: DocumentHead): Html =>
  html`${isWide && " full-width"}${background !== "" && " coloured"}`;

/** Bar and title, the same on all pages of a document. */
export const documentTop = (head: DocumentHead, here: DocumentPart, now: number, parts: BarParts = {}): Html =>
  html`${pageBar(head, here, parts)}
<div class="top">
<div class="title-line" dir="auto"><h1 class="document-title">${head.icon !== "" && html`<span class="page-icon" aria-hidden="true">${head.icon}</span>`}<span class="title-text" ${head.canWrite && html`data-rename`} data-page-title data-kind="document" data-id="${head.id}">${head.title}</span></h1></div>
<p class="row-facts"><span>Changed ${time(head.updatedAt, now)}${head.updatedBy && html` by <bdi>${head.updatedBy}</bdi>`}</span>${head.locale && html`<span>${head.locale}</span>`}${head.isTemplate && html`<span class="tag">Template</span>`}</p>
</div>`;

/** The document's position in the tree. */
export const hereOf = ({ knowledgeBase, folders, id, title, type }: DocumentHead): Here => ({
  baseId: knowledgeBase.id,
  folders,
  // The row of its folder stands for an index page.
  document: folders.at(-1)?.page === id ? undefined : { id, title, type },
});
