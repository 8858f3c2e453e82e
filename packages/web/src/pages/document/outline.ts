import { html, type Part } from "../../html.ts";

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

const outlinePart = (items: readonly OutlineItem[], address: Address, attributes: Part): Part =>
  html`<details class="outline" open ${attributes}><summary><h2>Contents</h2></summary><nav aria-label="Contents">${outlineList(items, address)}</nav></details>`;

/** The headings of a text that is read. */
export const contents = (items: readonly OutlineItem[]): Part =>
  items.length > 0 && outlinePart(items, ({ slug }) => `section-${slug}`, false);

/** The same beside the editor, which keeps them as they are written and goes to a heading by its block. */
export const editorContents = (items: readonly OutlineItem[]): Part =>
  outlinePart(
    items,
    ({ block_id }) => block_id,
    html`data-editor-part="contents" ${items.length === 0 && html`hidden`}`,
  );
