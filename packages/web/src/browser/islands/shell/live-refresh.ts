import { AnswerOrder } from "../common/answer-order.ts";
import { api } from "../common/api.ts";
import { at, here } from "../common/base-path.ts";
import { element } from "../common/element.ts";
import { readPage } from "../common/read-page.ts";
import { attempt } from "../common/toast.ts";
import { addBases, itemOf, parentOf, refresh, rowOfDocument } from "../tree/tree.ts";
import { DISCUSSED, type DocumentEvent, followEvents } from "./events.ts";
import { refreshList } from "./list-refresh.ts";
import { PAGE_CHANGED, type PageChange } from "./page-change.ts";
import { showName } from "./show-name.ts";

const shownId = (): string | undefined => /^\/documents\/(doc_\w+)/.exec(here())?.[1];

/** Shows a banner above the page that reports an event, with a link. */
function showBanner(text: string, label: string, href: string, version = ""): void {
  document.querySelector(".page-news")?.remove();
  const link = element("a", { href, class: "button button-small" }, label);
  const attributes = { class: "banner banner-care page-news", role: "status", "data-version": version };
  const banner = element("p", attributes, element("span", { dir: "auto" }, text), link);
  document.getElementById("main")?.prepend(banner);
}

/** The author of a change: a member's name, with their program. */
async function nameOf({ userId, program }: DocumentEvent): Promise<string> {
  const by = program === null ? "" : ` (${program})`;
  try {
    return (await api.get("/members/{id}", { path: { id: userId } })).data.name + by;
  } catch {
    return `Someone${by}`;
  }
}

const news = new AnswerOrder();

/** Reports who did something, unless a later event is already shown. */
async function showChangeBanner(event: DocumentEvent, say: (name: string) => void): Promise<void> {
  const isNewest = news.ask();
  const name = await nameOf(event);
  if (isNewest()) say(name);
}

/** A text that is read follows by itself; another page about the document offers to show the change. */
async function reportContentChange(event: DocumentEvent): Promise<void> {
  if (!document.querySelector("article[data-shown-version]"))
    return showChangeBanner(event, (name) =>
      showBanner(`${name} changed this page.`, "Show", location.pathname, event.version),
    );
  const detail: PageChange = { name: await nameOf(event), version: event.version };
  document.dispatchEvent(new CustomEvent(PAGE_CHANGED, { detail }));
}

/** The tree levels to refresh; many changes at once cause one refresh. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
function refreshSoon(kind: "base" | "folder", id: number): void {
  const key = `${kind}:${id}`;
  clearTimeout(waiting.get(key));
  waiting.set(
    key,
    setTimeout(() => attempt(() => refresh({ kind, id })), 300),
  );
}

/** Knowledge bases already looked for: each once, as the tree may not have room for all. */
const requestedBases = new Set<number>();
let basesTimer: ReturnType<typeof setTimeout> | undefined;
function addBaseSoon(id: number): void {
  if (requestedBases.has(id) || itemOf({ kind: "base", id })) return;
  requestedBases.add(id);
  clearTimeout(basesTimer);
  basesTimer = setTimeout(() => attempt(addBases), 300);
}

/** The level where the tree currently shows the document, which may be outdated. */
function shownLevel(documentId: string): { kind: "base" | "folder"; id: number } | undefined {
  const item = rowOfDocument(documentId);
  const parent = item && parentOf(item);
  const kind = parent?.dataset.kind;
  return kind === "base" || kind === "folder" ? { kind, id: Number(parent?.dataset.id) } : undefined;
}

/** Lists all knowledge bases, with the number of documents in each. */
const OVERVIEW = "/knowledge-bases";

/** Whether the page is the overview, lists the document's container, or shows the document. */
function isListed({ documentId, knowledgeBaseId, folderId }: DocumentEvent): boolean {
  const place = folderId === null ? `${OVERVIEW}/${knowledgeBaseId}` : `/folders/${folderId}`;
  return [OVERVIEW, place].includes(here()) || document.querySelector(`[data-list] [data-id="${documentId}"]`) !== null;
}

let listTimer: ReturnType<typeof setTimeout> | undefined;
function listSoon(): void {
  clearTimeout(listTimer);
  listTimer = setTimeout(() => attempt(refreshList), 300);
}

const NOTIFICATIONS = "/notifications";
let bellTimer: ReturnType<typeof setTimeout> | undefined;
const bells = new AnswerOrder();

/** Updates the count of unread notifications. */
async function updateBell(): Promise<void> {
  const bell = (page: Document | undefined) => page?.querySelector(`.side a[href="${at(NOTIFICATIONS)}"]`);
  const isNewest = bells.ask();
  const fresh = bell(await readPage(at(NOTIFICATIONS)));
  if (fresh && isNewest()) bell(document)?.replaceChildren(...fresh.childNodes);
}

function updateBellSoon(): void {
  clearTimeout(bellTimer);
  bellTimer = setTimeout(() => attempt(updateBell), 300);
  if (here() === NOTIFICATIONS) listSoon();
}

/** Handles comments, suggestions and notifications. */
function onDiscussion(event: DocumentEvent): void {
  if (event.type === "notification.created") updateBellSoon();
  if (event.type === "notification.created" || event.documentId !== shownId()) return;
  document.dispatchEvent(new Event(DISCUSSED));
  if (event.type === "suggestion.created" && here().endsWith("/suggestions"))
    void showChangeBanner(event, (name) => showBanner(`${name} suggested a change.`, "Show", location.pathname));
}

/** Whether the page shows every change by itself. */
const isEdited = (): boolean =>
  document.querySelector('[data-live-editor][data-mode="edit"], [data-live-grid]') !== null;

function onEvent(event: DocumentEvent): void {
  if (!event.type.startsWith("document.")) {
    onDiscussion(event);
    return;
  }
  const isShown = event.documentId === shownId();
  if (isShown && event.type === "document.content.updated" && !isEdited()) void reportContentChange(event);
  if (isShown && event.type === "document.deleted")
    void showChangeBanner(event, (name) => showBanner(`${name} deleted this page.`, "Open the trash", at("/trash")));
  if (event.type === "document.content.updated") return;
  if (event.type === "document.metadata.updated") showName({ kind: "document", id: event.documentId }, event.title);
  if (isListed(event)) listSoon();
  const before = shownLevel(event.documentId);
  if (before) refreshSoon(before.kind, before.id);
  addBaseSoon(event.knowledgeBaseId);
  if (event.folderId === null) refreshSoon("base", event.knowledgeBaseId);
  else refreshSoon("folder", event.folderId);
}

/** Keeps an open page and its tree up to date with changes by others. */
export function startLiveRefresh(): void {
  const { tree: workspace, events } = document.querySelector<HTMLElement>("[data-tree]")?.dataset ?? {};
  if (workspace) followEvents(workspace, events === undefined ? undefined : Number(events), onEvent);
}
