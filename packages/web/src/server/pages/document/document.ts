import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, form, plural } from "../../../shared/parts.ts";
import { commentsPart, type Discussion } from "../discussion/comments.ts";
import { itemList, type PlaceItem } from "../library/rows.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf, lookOf } from "./document-top.ts";
import { editingParts, presence, surface } from "./edit.ts";
import { historyPart } from "./history-list.ts";
import { type InfoPanel, infoPanel } from "./info-panel.ts";
import { contents, type OutlineItem } from "./outline.ts";
import { type PanelName, panels } from "./panels.ts";
import { type Share, sharePart } from "./share-part.ts";

interface Document extends InfoPanel {
  readonly outline: readonly OutlineItem[];
  /** The version of the shown body. */
  readonly version: string;
  readonly content: Html;
  /** Pages and folders below this one. */
  readonly subpages: readonly PlaceItem[];
  readonly discussion: Discussion;
  readonly share: Share | undefined;
  readonly userId: string;
  /** Titles of the pages that the text links to, by their ids; null for one that is not there. */
  readonly linkTitles: Readonly<Record<string, string | null>>;
  /** Whether remote pictures are shown without being asked for. */
  readonly remotePictures: "on" | "off";
  /** The person only wants to read. */
  readonly isViewing: boolean;
  /** The panel that the address asks for. */
  readonly panel: PanelName | undefined;
  readonly now: number;
}

/** The panel that a page opens with. */
const firstPanel = ({ discussion, outline, panel }: Document): PanelName =>
  panel ??
  (discussion.threads.length > 0 || discussion.suggestions?.cards.length || outline.length === 0
    ? "comments"
    : "contents");

const isLiving = ({ head, isViewing }: Document): boolean => head.canWrite && head.type === "document" && !isViewing;

/** The page as it is read; whoever may edit clicks into its text. `now`: the editor takes over at once. */
export const documentPage = (input: Document, when: "now" | "click" = "click"): Page => ({
  title: input.head.title,
  here: hereOf(input.head),
  shape: "wide",
  styles: ["discussion.css", ...(isLiving(input) || when === "now" ? ["editor.css"] : [])],
  scripts: ["document.js", "islands/living-page.js", ...(when === "now" ? ["islands/editor.js"] : [])],
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
${when === "now" && html`<noscript><p class="banner">Editing needs JavaScript; this is the page as it is saved.</p></noscript>`}
<div class="reading">
${textPart(input, when)}
${panels(firstPanel(input), {
  contents: contents(input.outline),
  comments: commentsPart(input.discussion),
  info: infoPanel(input),
  history: historyPart(input.head),
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

const emptyText = ({ id, canWrite, type }: DocumentHead): Part =>
  html`<div class="empty"><p>This ${type === "document" ? "page" : "spreadsheet"} is empty.</p>${canWrite && html`<p><a class="button button-main" href="/documents/${id}/edit">${type === "document" ? "Write something" : "Fill it in"}</a></p>`}</div>`;

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
