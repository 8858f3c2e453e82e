import { type Html, html, type Part, trusted } from "../shared/html.ts";
import { type IconName, icon } from "../shared/icons.ts";
import type { Frame, Here, PersonalItem, Side, SideBase, Viewer } from "../shared/page.ts";
import { form, roleName } from "../shared/parts.ts";
import { KEPT_TREE } from "./assets.ts";
import { avatar } from "./avatar.ts";

interface Link {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

const links: readonly Link[] = [
  { href: "/knowledge-bases", label: "Home", icon: "home" },
  { href: "/ask", label: "Ask", icon: "ask" },
  { href: "/review", label: "Review", icon: "review" },
];

/** The parts of the workspace that its menu leads to. */
const parts: readonly Link[] = [
  { href: "/settings", label: "Settings", icon: "settings" },
  { href: "/members", label: "Members", icon: "people" },
  { href: "/import", label: "Import", icon: "import" },
  { href: "/trash", label: "Trash", icon: "trash" },
  { href: "/activity", label: "Activity", icon: "activity" },
  { href: "/concepts", label: "Concepts", icon: "concept" },
  { href: "/usage", label: "Usage", icon: "usage" },
];

/** Beside every page: workspace, navigation and tree. A drawer on narrow screens. */
export const sidebar = (frame: Frame, viewer: Viewer, here: Here | undefined): Html =>
  html`<nav class="side" id="side" popover aria-label="Workspace">
<div class="side-head"><button class="menu-button side-workspace" popovertarget="menu-workspaces" type="button"><span class="visually-hidden">Workspace: </span><bdi class="menu-label">${viewer.workspace.name}</bdi></button></div>
<form class="side-search" action="/search" role="search" aria-label="Workspace">${icon("search")}<input type="search" name="q" maxlength="512" aria-label="Search this workspace" placeholder="Search" autocomplete="off" data-shortcut="/"><button type="button" class="side-keys" data-palette><kbd>Ctrl K</kbd><span class="visually-hidden"> Go to a page or command</span></button></form>
<ul class="side-list">${links.map((link) => linkItem(link, frame.path))}${frame.side && bell(frame.side.unread, frame.path)}</ul>
${frame.side && html`<div data-favourites>${personal("Favourites", frame.side.favourites, () => "star")}</div>`}
${frame.side && personal("Recent", frame.side.recent, ({ type }) => type)}
${frame.side && tree(frame, frame.side, viewer, here)}
<div class="side-foot"><button class="menu-button avatar-button" popovertarget="menu-account" type="button">${avatar(viewer.name, viewer.picture)}<span class="visually-hidden">Account menu of </span><bdi class="menu-label">${viewer.name}</bdi></button><button type="button" class="icon-button" data-keys aria-label="Keyboard shortcuts" title="Keyboard shortcuts">?</button></div>
${workspaceMenu(frame, viewer)}
${accountMenu(frame, viewer)}
</nav>`;

const current = (href: string, path: string): Part =>
  (path === href || path.startsWith(`${href}/`)) && html`aria-current="page"`;

const linkItem = (link: Link, path: string): Html =>
  html`<li><a class="side-link" href="${link.href}" ${link.href === path || link.href !== "/knowledge-bases" ? current(link.href, path) : ""}>${icon(link.icon)}${link.label}</a></li>`;

/** The link to the notifications, with the unread count. */
const bell = (unread: number, path: string): Html =>
  html`<li><a class="side-link" href="/notifications" ${path === "/notifications" && html`aria-current="page"`}>${icon("bell")}Notifications${unread > 0 && html` <span class="side-count">${unread > 99 ? "99+" : unread}<span class="visually-hidden"> unread</span></span>`}</a></li>`;

const personal = (
  title: string,
  items: readonly PersonalItem[],
  signOf: (item: PersonalItem) => Parameters<typeof icon>[0],
): Part =>
  items.length > 0 &&
  html`<details class="side-part side-fold" data-fold="${title}" open><summary class="side-title"><h2>${title}</h2></summary><ul class="side-list">${items
    .slice(0, MAX_PERSONAL)
    .map(
      (item) =>
        html`<li><a class="side-link" href="/documents/${item.id}">${icon(signOf(item))}<span class="tree-name" dir="auto">${item.title}</span></a></li>`,
    )}${items.length > MAX_PERSONAL && html`<li><a class="side-link" href="/knowledge-bases#favourites">All ${items.length}…</a></li>`}</ul></details>`;

/** Max rows of a personal list, so that the tree keeps its room; Home shows the others. */
const MAX_PERSONAL = 5;

/** Max tree rows in a page; scripts load the rest. */
const MAX_BASES = 200;

/** Hidden without knowledge bases, but its script still follows events. */
const tree = ({ newestEvent }: Frame, { bases }: Side, viewer: Viewer, here: Here | undefined): Part => {
  const shown = bases.filter(({ id }, at) => at < MAX_BASES || id === here?.baseId);
  return html`<section class="side-part side-tree"><div class="side-title"><h2>Knowledge bases</h2>${viewer.workspace.role !== "viewer" && html`<a class="side-add" href="/knowledge-bases#new-base" aria-label="New knowledge base" title="New knowledge base">${icon("plus")}</a>`}</div><div class="side-scroll">${bases.length === 0 && html`<p class="hint side-hint" data-no-bases>None yet.</p>`}<ul class="tree" role="tree" aria-multiselectable="true" aria-label="Knowledge bases" data-tree="${viewer.workspace.id}" ${newestEvent !== undefined && html`data-events="${newestEvent}"`} ${bases.length === 0 && html`hidden`}>${shown.map((base) => baseItem(base, here))}</ul><script>${trusted(KEPT_TREE)}</script>${bases.length > MAX_BASES && html`<p class="hint side-hint"><a href="/knowledge-bases">All ${bases.length} knowledge bases</a></p>`}</div></section>`;
};

const baseItem = (base: SideBase, here: Here | undefined): Part => {
  const isHere = here?.baseId === base.id;
  const isPage = isHere && here.folders.length === 0 && !here.document;
  return html`<li role="none" data-may-write="${base.mayWrite ? "1" : "0"}"><a class="tree-item" role="treeitem" aria-level="1" ${isHere && html`aria-expanded="true"`} ${isPage && html`aria-current="page"`} href="/knowledge-bases/${base.id}" data-kind="base" data-id="${base.id}" data-name="${base.name}"><span class="tree-twisty" aria-hidden="true"></span>${icon("base")}<span class="tree-name" dir="auto">${base.name}</span></a>${isHere && way(here, 0)}</li>`;
};

/** The folders that lead to the page, and the page itself; a script loads the rest of the tree. */
function way(here: Here, at: number): Part {
  const folder = here.folders[at];
  if (folder)
    return group(
      at,
      {
        href: folder.page ? `/documents/${folder.page}` : `/folders/${folder.id}`,
        kind: "folder",
        icon: folder.page ? "document" : "folder",
        id: folder.id,
        name: folder.name,
        page: folder.page,
      },
      at === here.folders.length - 1 && !here.document,
      way(here, at + 1),
    );
  const { document } = here;
  if (!document) return undefined;
  return group(
    at,
    {
      href: `/documents/${document.id}`,
      kind: "document",
      icon: document.type,
      id: document.id,
      name: document.title,
    },
    true,
    undefined,
  );
}

interface Item {
  readonly href: string;
  readonly kind: "folder" | "document";
  readonly icon: IconName;
  readonly id: string | number;
  readonly name: string;
  readonly page?: string | undefined;
}

const group = (at: number, item: Item, isPage: boolean, inside: Part): Html =>
  html`<ul role="group"><li role="none"><a class="tree-item tree-level-${Math.min(at + 2, 8)}" role="treeitem" aria-level="${at + 2}" ${inside && html`aria-expanded="true"`} ${isPage && html`aria-current="page"`} href="${item.href}" data-kind="${item.kind}" data-id="${item.id}" data-name="${item.name}" ${item.page && html`data-page="${item.page}"`}><span class="tree-twisty" aria-hidden="true"></span>${icon(item.icon)}<span class="tree-name" dir="auto">${item.name}</span></a>${inside}</li></ul>`;

const workspaceMenu = (frame: Frame, viewer: Viewer): Html =>
  html`<div class="menu menu-left" id="menu-workspaces" popover>${parts
    .filter(({ href }) => href !== "/import" || viewer.workspace.role !== "viewer")
    .map(
      ({ href, label, icon: sign }) => html`<a class="menu-item menu-part" href="${href}">${icon(sign)}${label}</a>`,
    )}<hr><p class="menu-title">Workspaces</p>${viewer.workspaces.map((workspace) =>
    form(
      "/workspaces/switch",
      frame.formToken,
      html`<button class="menu-item" name="workspace" value="${workspace.id}" ${workspace.id === viewer.workspace.id && html`aria-current="true"`}><bdi>${workspace.name}</bdi><small>${roleName(workspace.role)}</small></button>`,
    ),
  )}<hr><a class="menu-item" href="/workspaces/new">New workspace…</a></div>`;

const accountMenu = (frame: Frame, viewer: Viewer): Html =>
  html`<div class="menu menu-right" id="menu-account" popover><p class="menu-title"><bdi>${viewer.name}</bdi><small>${viewer.email}</small></p><a class="menu-item" href="/account">Account</a><a class="menu-item" href="/settings">Appearance</a><a class="menu-item" href="/account/connect">Connect an agent</a><a class="menu-item" href="/account/tokens">API tokens</a><a class="menu-item" href="/device">Connect a device</a><a class="menu-item" href="/docs">Documentation</a><a class="menu-item" href="/api-docs">API reference</a><hr>${form(
    "/sign-out",
    frame.formToken,
    html`<button class="menu-item">Sign out</button>`,
  )}</div>`;
