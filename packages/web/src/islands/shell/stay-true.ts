import { AnswerOrder } from "../common/answer-order.ts";
import { api } from "../common/api.ts";
import { at, here } from "../common/base-path.ts";
import { element } from "../common/element.ts";
import { readPage } from "../common/read-page.ts";
import { attempt } from "../common/toast.ts";
import { addBases, itemOf, parentOf, refresh } from "../tree/tree.ts";
import { DISCUSSED, type DocumentEvent, followEvents } from "./events.ts";
import { refreshList } from "./list-refresh.ts";

const shownId = (): string | undefined => /^\/documents\/(doc_\w+)/.exec(here())?.[1];

/** A line above the page that says what happened to it, with a way on. */
function tell(text: string, label: string, href: string, version = ""): void {
  document.querySelector(".page-news")?.remove();
  const link = element("a", { href, class: "button button-small" }, label);
  const attributes = { class: "banner banner-care page-news", role: "status", "data-version": version };
  const news = element("p", attributes, element("span", { dir: "auto" }, text), link);
  document.getElementById("main")?.prepend(news);
}

/** Who made a change: a member by name, with the program that they used. */
async function nameOf({ userId, program }: DocumentEvent): Promise<string> {
  const by = program === null ? "" : ` (${program})`;
  try {
    return (await api.get("/members/{id}", { path: { id: userId } })).data.name + by;
  } catch {
    return `Somebody${by}`;
  }
}

const news = new AnswerOrder();

/** Says what somebody did, unless something that happened later is told already. */
async function tellOf(event: DocumentEvent, say: (name: string) => void): Promise<void> {
  const isNewest = news.ask();
  const name = await nameOf(event);
  if (isNewest()) say(name);
}

/** What this page itself did, such as ticking a box, is no news. */
const tellChange = (event: DocumentEvent): Promise<void> =>
  tellOf(event, (name) => {
    const shown = document.querySelector<HTMLElement>("[data-shown-version]")?.dataset.shownVersion;
    if (shown !== event.version) tell(`${name} changed this page.`, "Show", location.pathname, event.version);
  });

/** The tree level that a document stands in; many changes at once are one refresh. */
const waiting = new Map<string, ReturnType<typeof setTimeout>>();
function refreshSoon(kind: "base" | "folder", id: number): void {
  const key = `${kind}:${id}`;
  clearTimeout(waiting.get(key));
  waiting.set(
    key,
    setTimeout(() => attempt(() => refresh({ kind, id })), 300),
  );
}

/** Knowledge bases that were looked for: each once, as the tree has not room for all of very many. */
const sought = new Set<number>();
let basesTimer: ReturnType<typeof setTimeout> | undefined;
function addBaseSoon(id: number): void {
  if (sought.has(id) || itemOf({ kind: "base", id })) return;
  sought.add(id);
  clearTimeout(basesTimer);
  basesTimer = setTimeout(() => attempt(addBases), 300);
}

/** The level where the tree shows the document now, which may not be where it stands. */
function shownLevel(documentId: string): { kind: "base" | "folder"; id: number } | undefined {
  const item = itemOf({ kind: "document", id: documentId });
  const parent = item && parentOf(item);
  const kind = parent?.dataset.kind;
  return kind === "base" || kind === "folder" ? { kind, id: Number(parent?.dataset.id) } : undefined;
}

/** Lists all knowledge bases, with the number of documents in each. */
const OVERVIEW = "/knowledge-bases";

/** The page is the overview, or the list of what the document stands in, or shows the document. */
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

/** How many notifications are unread. */
async function ring(): Promise<void> {
  const bell = (page: Document | undefined) => page?.querySelector(`.side a[href="${at(NOTIFICATIONS)}"]`);
  const isNewest = bells.ask();
  const fresh = bell(await readPage(at(NOTIFICATIONS)));
  if (fresh && isNewest()) bell(document)?.replaceChildren(...fresh.childNodes);
}

function ringSoon(): void {
  clearTimeout(bellTimer);
  bellTimer = setTimeout(() => attempt(ring), 300);
  if (here() === NOTIFICATIONS) listSoon();
}

/** What others say about pages, and what is for oneself. */
function onTalk(event: DocumentEvent): void {
  if (event.type === "notification.created") ringSoon();
  if (event.type === "notification.created" || event.documentId !== shownId()) return;
  document.dispatchEvent(new Event(DISCUSSED));
  if (event.type === "suggestion.created" && here().endsWith("/suggestions"))
    void tellOf(event, (name) => tell(`${name} suggested a change.`, "Show", location.pathname));
}

function onEvent(event: DocumentEvent): void {
  if (!event.type.startsWith("document.")) {
    onTalk(event);
    return;
  }
  const isShown = event.documentId === shownId();
  if (isShown && event.type === "document.content.updated" && !location.pathname.endsWith("/edit"))
    void tellChange(event);
  if (isShown && event.type === "document.deleted")
    void tellOf(event, (name) => tell(`${name} deleted this page.`, "Open the trash", at("/trash")));
  if (event.type === "document.content.updated") return;
  if (isListed(event)) listSoon();
  const before = shownLevel(event.documentId);
  if (before) refreshSoon(before.kind, before.id);
  addBaseSoon(event.knowledgeBaseId);
  if (event.folderId === null) refreshSoon("base", event.knowledgeBaseId);
  else refreshSoon("folder", event.folderId);
}

/** Keeps an open page and its tree true to what others do. */
export function startStayTrue(): void {
  const { tree: workspace, events } = document.querySelector<HTMLElement>("[data-tree]")?.dataset ?? {};
  if (workspace) followEvents(workspace, events === undefined ? undefined : Number(events), onEvent);
}
