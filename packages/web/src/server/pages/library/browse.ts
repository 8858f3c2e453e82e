import { type Html, html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import type { FolderStep, Named, Page } from "../../../shared/page.ts";
import { form, plural, renameButton } from "../../../shared/parts.ts";
import { type Watch, watchButton } from "../discussion/watch.ts";
import { type Share, sharePart } from "../document/share-part.ts";
import { itemList, type PlaceItem } from "./rows.ts";

const more = (address: string | undefined): Part =>
  address && html`<p><a class="button" href="${address}">More</a></p>`;

interface Folder {
  readonly knowledgeBase: Named;
  /** From the top down to this one; empty at the top. */
  readonly folders: readonly FolderStep[];
  readonly items: readonly PlaceItem[];
  /** Templates for new pages. */
  readonly templates: readonly { readonly id: string; readonly title: string }[];
  /** A short summary of the content. */
  readonly summary: { readonly content: Html; readonly isStale: boolean } | undefined;
  readonly next: string | undefined;
  readonly canWrite: boolean;
  /** The public link of a folder, for people who may share it. */
  readonly share: Share | undefined;
  readonly formToken: string;
  readonly watch: Watch;
  readonly now: number;
}

/** Max folders of a path shown at once; longer paths fold those in the middle. */
const MAX_STEPS = 4;

/** The path as links; the last step is the page itself. */
export const trail = (knowledgeBase: Named, folders: readonly Named[]): Html =>
  html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li><li><a href="/knowledge-bases/${knowledgeBase.id}"><bdi>${knowledgeBase.name}</bdi></a></li>${
    folders.length <= MAX_STEPS
      ? folders.map(step)
      : [folders.slice(0, 1).map(step), between(folders.slice(1, -2)), folders.slice(-2).map(step)]
  }</ol></nav>`;

const step = ({ id, name }: Named): Html => html`<li><a href="/folders/${id}"><bdi>${name}</bdi></a></li>`;

const between = (folders: readonly Named[]): Html =>
  html`<li class="trail-more"><details><summary aria-label="${plural(folders.length, "folder")} between" title="${plural(folders.length, "folder")} between">…</summary><ol class="trail">${folders.map(step)}</ol></details></li>`;

export function folderPage(input: Folder): Page {
  const name = input.folders.at(-1)?.name ?? input.knowledgeBase.name;
  const above = input.folders.slice(0, -1);
  const isTop = input.folders.length === 0;
  return {
    title: name,
    here: { baseId: input.knowledgeBase.id, folders: input.folders },
    main: html`${isTop ? html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li></ol></nav>` : trail(input.knowledgeBase, above)}
<div class="title-row"><div class="title-line" dir="auto"><h1 class="document-title"><span class="title-text" ${input.canWrite && html`data-rename`} data-page-title data-kind="${isTop ? "base" : "folder"}" data-id="${input.folders.at(-1)?.id ?? input.knowledgeBase.id}">${name}</span></h1>${input.canWrite && renameButton}${watchButton(input.watch)}</div>${input.canWrite && makeForm(input)}</div>
<section class="card" aria-label="Contents" data-list data-may-write="${input.canWrite ? "1" : "0"}">${
      input.items.length === 0 ? emptyPlace(input, isTop) : itemList(input.items, input.now)
    }
${more(input.next)}</section>
${input.summary && html`<details class="card summary-part"><summary><h2>Summary</h2></summary>${input.summary.isStale && html`<p class="hint">Based on an earlier version.</p>`}<div class="summary-text" dir="auto">${input.summary.content}</div></details>`}
${input.share && html`<div class="card">${sharePart({ share: input.share, path: `/folders/${input.folders.at(-1)?.id}`, shows: "this folder and everything in it", formToken: input.formToken, now: input.now })}</div>`}
<p class="hint">${isTop && html`<a href="/knowledge-bases/${input.knowledgeBase.id}/access">Access</a>: roles in this knowledge base; owners can also delete it. `}<a href="/app/api/v1/${isTop ? `knowledge-bases/${input.knowledgeBase.id}` : `folders/${input.folders.at(-1)?.id}`}/export" download>Export this ${isTop ? "knowledge base" : "folder"}</a> as an archive of Markdown files.</p>`,
  };
}

/** Creates something here and opens it. */
const makeForm = ({ knowledgeBase, folders, templates, formToken }: Folder): Part => {
  const folder = folders.at(-1);
  return form(
    folder ? `/folders/${folder.id}/new` : `/knowledge-bases/${knowledgeBase.id}/new`,
    formToken,
    html`<button class="button button-main" name="kind" value="document" data-key-n>${icon("plus")}New page</button><button class="button" name="kind" value="folder">New folder</button><button class="button" name="kind" value="spreadsheet">New spreadsheet</button>${templates.length > 0 && templateMenu(templates)}`,
    "row-actions",
  );
};

/** Starts a page as a copy; each template is a button of the form that creates pages. */
const templateMenu = (templates: Folder["templates"]): Part =>
  html`<details class="confirm"><summary class="button">From a template</summary><div class="confirm-box">${templates.map(
    ({ id, title }) => html`<button class="menu-item" name="template" value="${id}"><bdi>${title}</bdi></button>`,
  )}</div></details>`;

const emptyPlace = ({ canWrite }: Folder, isTop: boolean): Part =>
  html`<div class="empty"><p><strong>Nothing in here yet.</strong></p><p>${
    canWrite
      ? `Write the first page with “New page”, or organize pages in folders. ${isTop ? "Everybody in the workspace can read what is in a knowledge base." : ""}`
      : "There are no pages here yet."
  }</p></div>`;
