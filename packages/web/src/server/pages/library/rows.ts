import { type Html, html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import type { Named } from "../../../shared/page.ts";
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
  html`<ul class="items">${documents.map(
    (document) =>
      html`<li><a class="item" href="/documents/${document.id}" data-kind="document" data-id="${document.id}" data-name="${document.title}">${icon(document.type)}<span class="item-name"><bdi>${document.title}</bdi></span><span class="item-facts">${facts(document)}${time(document.updatedAt, now)}</span></a></li>`,
  )}</ul>`;

const facts = ({ place, by }: DocumentItem): Part =>
  [place, by].map((fact) => fact && html`<span class="item-fact"><bdi>${fact}</bdi></span>`);

export const folderList = (folders: readonly Named[]): Part =>
  folders.length > 0 &&
  html`<ul class="items">${folders.map(
    ({ id, name }) =>
      html`<li><a class="item" href="/folders/${id}" data-kind="folder" data-id="${id}" data-name="${name}">${icon("folder")}<span class="item-name"><bdi>${name}</bdi></span></a></li>`,
  )}</ul>`;
