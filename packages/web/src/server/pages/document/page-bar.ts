import { html, type Part } from "../../../shared/html.ts";
import { type IconName, icon } from "../../../shared/icons.ts";
import { watchButton } from "../discussion/watch.ts";
import { trail } from "../library/browse.ts";
import type { DocumentHead, DocumentPart } from "./document-head.ts";

/** The parts of the bar that only some pages of a document have. */
export interface BarParts {
  /** The other people on the page, and the save state. */
  readonly presence?: Part;
  /** The public link. */
  readonly share?: Part;
  /** Items of the menu that need more than the head. */
  readonly more?: Part;
  /** Whether the page has panels beside its text. */
  readonly hasPanels?: boolean;
  /** The page is only read, although the person may edit it. */
  readonly isViewing?: boolean;
}

/** Path on the left; people, state, mode and menus on the right: the same on all pages of a document. */
export const pageBar = (head: DocumentHead, here: DocumentPart, parts: BarParts): Part =>
  html`<div class="page-bar">${trail(head.knowledgeBase, stepsTo(head))}
<div class="page-actions">${parts.presence}${modeMenu(head, here, parts)}
<span class="roomy" data-open-suggestions>${head.openSuggestions > 0 && here !== "suggestions" && html`<a class="bar-link" href="/documents/${head.id}/suggestions">${head.openSuggestions === 1 ? "1 suggestion" : `${head.openSuggestions} suggestions`}</a>`}</span>
${parts.share && menu("share", html`Share`, "Share", parts.share, "bar-link roomy")}
${parts.hasPanels && [panelButton("contents", "Contents", "bullet-list"), panelButton("comments", "Comments", "comment"), panelButton("info", "Info", "info")]}
${here !== "versions" && historyLink(head, parts)}
<button type="button" class="icon-button star-button with-script roomy" data-favourite="${head.id}" aria-pressed="${head.isFavourite ? "true" : "false"}" aria-label="Favourite" title="Favourite">${icon("star")}</button>
${menu("page", icon("more"), "Page menu", pageMenu(head, here, parts), "icon-button")}</div></div>`;

/** The folders above a page; that of an index page is the page itself. */
const stepsTo = ({ id, folders }: DocumentHead) => (folders.at(-1)?.page === id ? folders.slice(0, -1) : folders);

/** A button that opens a menu below it, without a script. */
const menu = (name: string, sign: Part, label: string, items: Part, looks: string): Part =>
  html`<button type="button" class="${looks}" popovertarget="menu-${name}" aria-label="${label}" title="${label}">${sign}</button><div class="menu page-menu" id="menu-${name}" popover>${items}</div>`;

const panelButton = (name: string, label: string, sign: IconName): Part =>
  html`<button type="button" class="icon-button with-script" data-panel-button="${name}" aria-controls="panel-${name}" aria-expanded="false" aria-label="${label}" title="${label}">${icon(sign)}</button>`;

/** Opens the panel; without scripts, and on pages without panels, a page of its own. */
const historyLink = ({ id }: DocumentHead, { hasPanels }: BarParts): Part =>
  html`<a class="icon-button roomy" href="/documents/${id}/versions" aria-label="History" title="History" ${hasPanels && html`data-panel-button="history" role="button" aria-controls="panel-history" aria-expanded="false"`}>${icon("history")}</a>`;

/** Editing, suggesting or viewing; on a page about the document the way back to it. */
function modeMenu(head: DocumentHead, here: DocumentPart, { isViewing }: BarParts): Part {
  const page = `/documents/${head.id}`;
  if (here !== "read" && here !== "edit" && here !== "suggest")
    return html`<a class="bar-link" href="${page}">Back to page</a>`;
  if (!head.canWrite && !head.maySuggest) return undefined;
  const isText = head.type === "document";
  const isEditing = head.canWrite && (here === "edit" || (here === "read" && isText && !isViewing));
  const mode = here === "suggest" ? "Suggesting" : isEditing ? "Editing" : "Viewing";
  const item = (name: string, href: string, hint: string): Part =>
    html`<a class="menu-item" href="${href}" ${name === mode && html`aria-current="true"`} data-mode-item="${name.toLowerCase()}">${name}<small>${hint}</small></a>`;
  return html`<button type="button" class="menu-button mode-button" popovertarget="menu-mode"><span class="visually-hidden">Mode: </span>${mode}</button><div class="menu page-menu" id="menu-mode" popover>${head.canWrite && item("Editing", isText ? page : `${page}/edit`, "Change the page")}${head.maySuggest && item("Suggesting", `${page}/suggest`, "Propose changes")}${item("Viewing", head.canWrite && isText ? `${page}?mode=view` : page, "Only read")}</div>`;
}

function pageMenu(head: DocumentHead, here: DocumentPart, { more }: BarParts): Part {
  const page = `/documents/${head.id}`;
  const link = (href: string, label: string): Part => html`<a class="menu-item" href="${href}">${label}</a>`;
  const action = (name: string, label: string): Part =>
    html`<button type="button" class="menu-item with-script" data-page-action="${name}">${label}</button>`;
  const file = (href: string, label: string, name: string): Part =>
    html`<a class="menu-item" href="/app/api/v1${page}/${href}" download="${name}">${label}</a>`;
  return html`${head.canWrite && [html`<button type="button" class="menu-item with-script" data-rename-button>Rename</button>`, action("move", "Move to…")]}${action("copy", "Duplicate")}
${watchButton(head.watch)}<hr>
${link(`${page}/versions`, "History")}${here !== "suggestions" && link(`${page}/suggestions`, "Suggestions")}${link(`${page}/translations`, "Languages")}
${head.type === "document" && (here === "edit" || here === "read") && head.canWrite && [action("settings", "Page settings"), action("keys", "Keyboard shortcuts")]}<hr>
${file("content?format=markdown", "Export as Markdown", `${head.title}.md`)}${file("content?format=html", "Export as HTML", `${head.title}.html`)}${head.type === "spreadsheet" && ["csv", "xlsx"].map((format) => file(`spreadsheet?format=${format}`, `Export as ${format.toUpperCase()}`, ""))}<button type="button" class="menu-item with-script" data-print>Print, or save as PDF</button>
${more && [html`<hr>`, more]}`;
}
