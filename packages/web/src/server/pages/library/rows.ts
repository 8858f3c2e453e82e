import { type Html, html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import type { FolderStep } from "../../../shared/page.ts";
import { time } from "../../time.ts";

export interface DocumentItem {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
  readonly updatedAt: number;
  /** The last person to change it. */
  readonly by?: string | undefined;
  /** Its knowledge base, on pages that list several. */
  readonly place?: string | undefined;
}

/** Pages as rows: title, place, who changed it last and when. */
export const documentList = (documents: readonly DocumentItem[], now: number): Html =>
  html`<ul class="items">${documents.map((document) => documentLine(document, now))}</ul>`;

const documentLine = (document: DocumentItem, now: number): Html =>
  html`<li><a class="item" href="/documents/${document.id}" data-kind="document" data-id="${document.id}" data-name="${document.title}">${icon(document.type)}<span class="item-name"><bdi>${document.title}</bdi></span><span class="item-facts">${facts(document)}${time(document.updatedAt, now)}</span></a></li>`;

const facts = ({ place, by }: DocumentItem): Part =>
  [place, by].map((fact) => fact && html`<span class="item-fact"><bdi>${fact}</bdi></span>`);

const folderLine = ({ id, name, page }: FolderStep): Html =>
  html`<li><a class="item" href="${page ? `/documents/${page}` : `/folders/${id}`}" data-kind="folder" data-id="${id}" data-name="${name}" ${page && html`data-page="${page}"`}>${icon(page ? "document" : "folder")}<span class="item-name"><bdi>${name}</bdi></span></a></li>`;

/** An item of a folder. */
export type PlaceItem = (FolderStep & { readonly kind: "folder" }) | (DocumentItem & { readonly kind: "document" });

/** Folders and documents in their order. */
export const itemList = (items: readonly PlaceItem[], now: number): Html =>
  html`<ul class="items">${items.map((item) => (item.kind === "folder" ? folderLine(item) : documentLine(item, now)))}</ul>`;
