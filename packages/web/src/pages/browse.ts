import { type Html, html, type Part } from "../html.ts";
import type { Page } from "../page.ts";
import { field, form, plural, wrong } from "../parts.ts";
import { time } from "../time.ts";

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface DocumentItem {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
  readonly updatedAt: number;
  readonly place?: string | undefined;
  readonly locale?: string | null;
}

interface KnowledgeBases {
  readonly formToken: string;
  readonly workspaceName: string;
  readonly canWrite: boolean;
  readonly bases: readonly (Named & { readonly documents: number; readonly folders: number })[];
  readonly recent: readonly DocumentItem[];
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const knowledgeBasesPage = (input: KnowledgeBases): Page => ({
  title: "Knowledge bases",
  main: html`<h1>Knowledge bases</h1>
${wrong(input.wrong)}
${input.bases.length > 0 ? html`<ul class="tiles">${input.bases.map(baseTile)}</ul>` : emptyBases(input)}
<div class="${input.recent.length > 0 ? "columns columns-wide-left" : "stack"}">
${input.recent.length > 0 && html`<section class="card" aria-labelledby="recent"><h2 id="recent">Changed lately</h2>${documentList(input.recent, input.now)}</section>`}
${input.canWrite && newBase(input)}</div>
<p><a href="/trash">Trash</a></p>`,
});

const newBase = ({ formToken, recent }: KnowledgeBases): Part =>
  html`<section class="card ${recent.length === 0 && "card-small"}" aria-labelledby="new-base"><h2 id="new-base">New knowledge base</h2>${form(
    "/knowledge-bases",
    formToken,
    [
      field({ name: "name", label: "Name", maxLength: 500, autocomplete: "off" }),
      html`<button class="button">Create</button>`,
    ],
  )}</section>`;

const baseTile = (base: KnowledgeBases["bases"][number]): Part =>
  html`<li class="tile"><a href="/knowledge-bases/${base.id}"><span class="tile-title"><bdi>${base.name}</bdi></span><span class="tile-facts">${plural(base.documents, "document")}, ${plural(base.folders, "folder")}</span></a></li>`;

const emptyBases = ({ canWrite, workspaceName }: KnowledgeBases): Html =>
  html`<div class="empty"><p><strong><bdi>${workspaceName}</bdi> is empty.</strong></p><p>${
    canWrite
      ? html`Create a knowledge base here, then fill it with programs: all of it works over the <a href="/api-docs">API</a>, with a <a href="/account/tokens">token</a>.`
      : "Nothing has been put here yet."
  }</p></div>`;

export const documentIcon = (type: "document" | "spreadsheet"): Html =>
  type === "document"
    ? html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M5 2.75h6.5L15 6.25v11H5z"/><path d="M7.5 9.5h5M7.5 12.5h5"/></svg>`
    : html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><rect x="3" y="3.75" width="14" height="12.5" rx="1"/><path d="M3 8h14M8 8v8.25"/></svg>`;

const folderIcon = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M2.75 5.25h5l1.5 2h8v8h-14.5z"/></svg>`;

const documentList = (documents: readonly DocumentItem[], now: number): Html =>
  html`<ul class="items">${documents.map(
    (document) =>
      html`<li><a class="item" href="/documents/${document.id}">${documentIcon(document.type)}<span class="item-name"><bdi>${document.title}</bdi>${document.locale && html` <span class="tag">${document.locale}</span>`}</span><span class="item-facts">${document.place && html`<bdi>${document.place}</bdi> · `}${time(document.updatedAt, now)}</span></a></li>`,
  )}</ul>`;

interface Folder {
  readonly knowledgeBase: Named;
  /** From the top down to this one; empty at the top. */
  readonly folders: readonly Named[];
  readonly children: readonly Named[];
  readonly documents: readonly DocumentItem[];
  readonly next: string | undefined;
  readonly now: number;
}

/** Where one is, as links; the last step is the page itself. */
export const trail = (knowledgeBase: Named, folders: readonly Named[]): Html =>
  html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li><li><a href="/knowledge-bases/${knowledgeBase.id}"><bdi>${knowledgeBase.name}</bdi></a></li>${folders.map(
    ({ id, name }) => html`<li><a href="/folders/${id}"><bdi>${name}</bdi></a></li>`,
  )}</ol></nav>`;

export function folderPage(input: Folder): Page {
  const name = input.folders.at(-1)?.name ?? input.knowledgeBase.name;
  const above = input.folders.slice(0, -1);
  const isTop = input.folders.length === 0;
  return {
    title: name,
    main: html`${isTop ? html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li></ol></nav>` : trail(input.knowledgeBase, above)}
<h1><bdi>${name}</bdi></h1>
<section class="card" aria-label="Contents">${
      input.children.length + input.documents.length === 0
        ? html`<p class="empty">Nothing in here yet.</p>`
        : [folderList(input.children), documentList(input.documents, input.now)]
    }
${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}</section>`,
  };
}

const folderList = (folders: readonly Named[]): Part =>
  folders.length > 0 &&
  html`<ul class="items">${folders.map(
    ({ id, name }) =>
      html`<li><a class="item" href="/folders/${id}">${folderIcon}<span class="item-name"><bdi>${name}</bdi></span></a></li>`,
  )}</ul>`;
