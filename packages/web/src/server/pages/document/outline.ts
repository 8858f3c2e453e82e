import { html, type Part } from "../../../shared/html.ts";

export interface OutlineItem {
  readonly block_id: string;
  readonly text: string;
  readonly slug: string;
  readonly children: readonly OutlineItem[];
}

type Address = (item: OutlineItem) => string;

const outlineList = (items: readonly OutlineItem[], address: Address): Part =>
  items.length > 0 &&
  html`<ul>${items.map((item) => html`<li><a href="#${address(item)}">${item.text || "Untitled"}</a>${outlineList(item.children, address)}</li>`)}</ul>`;

/** The headings of the text. The editor keeps them as they are written. */
export const contents = (items: readonly OutlineItem[]): Part =>
  html`<div class="outline" data-editor-part="contents"><h2>Contents</h2><p class="hint">No headings yet.</p><nav aria-label="Contents" ${items.length === 0 && html`hidden`}>${outlineList(items, ({ slug }) => `section-${slug}`)}</nav></div>`;
