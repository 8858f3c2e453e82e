import { assetUrl } from "./assets.ts";
import { type Html, html, type Part } from "./html.ts";
import type { Frame, Page, Viewer } from "./page.ts";
import { form, roleName } from "./parts.ts";

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect x="5" y="4" width="22" height="24" rx="4" fill="currentColor"/><path d="M11 11h10M11 16h10M11 21h6" stroke="var(--mark-line)" stroke-width="2.4" stroke-linecap="round"/></svg>`;

interface Place {
  readonly href: string;
  readonly label: string;
}

/** The parts of the house, in the order of the bar. */
const places: readonly Place[] = [
  { href: "/knowledge-bases", label: "Knowledge" },
  { href: "/review", label: "Review" },
  { href: "/members", label: "Members" },
  { href: "/activity", label: "Activity" },
  { href: "/usage", label: "Usage" },
];

const isIn: Record<string, RegExp> = { "/knowledge-bases": /^\/(knowledge-bases|folders|documents|trash)(\/|$)/ };

/** The whole document: head, bar, page. */
export function document(frame: Frame, page: Page): Html {
  const { viewer } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${page.title} · svc</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${assetUrl("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl("style.css")}">
${["page.js", ...(page.scripts ?? [])].map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${viewer && page.shape !== "narrow" ? bar(frame, viewer) : plainBar(frame)}
<main id="main" tabindex="-1" class="main main-${page.shape ?? "plain"}">
${frame.notice && html`<p class="banner banner-good" role="status">${frame.notice}</p>`}
${page.main}
</main>
</body>
</html>
`;
}

const plainBar = (frame: Frame): Html =>
  html`<header class="bar bar-plain"><a class="brand" href="/">${mark}<span>svc</span></a>${
    frame.viewer && html`<p class="bar-note">Signed in as <bdi>${frame.viewer.name}</bdi></p>`
  }</header>`;

function bar(frame: Frame, viewer: Viewer): Html {
  return html`<header class="bar">
<a class="brand" href="/" aria-label="svc, start page">${mark}<span>svc</span></a>
<button class="menu-button" popovertarget="menu-workspaces" type="button"><span class="menu-label"><span class="visually-hidden">Workspace: </span><bdi>${viewer.workspace.name}</bdi></span></button>
${frame.path !== "/search" && searchField()}
<nav class="places" aria-label="Main">${places.map((place) => placeLink(place, frame.path))}</nav>
<button class="menu-button avatar-button" popovertarget="menu-account" type="button"><span class="avatar" aria-hidden="true">${initial(viewer.name)}</span><span class="visually-hidden">Account menu of ${viewer.name}</span></button>
${workspaceMenu(frame, viewer)}
${accountMenu(frame, viewer)}
</header>`;
}

/** On every page but the one that has a larger field of its own. */
const searchField = (): Html =>
  html`<form class="bar-search" action="/search" role="search"><input type="search" name="q" maxlength="512" aria-label="Search this workspace" placeholder="Search" autocomplete="off" data-shortcut="/"></form>`;

const isHere = (href: string, path: string): boolean =>
  isIn[href]?.test(path) ?? (path === href || path.startsWith(`${href}/`));
const current = (href: string, path: string): Part => isHere(href, path) && html`aria-current="page"`;

const placeLink = ({ href, label }: Place, path: string): Html =>
  html`<a href="${href}" ${current(href, path)}>${label}</a>`;

const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? "?";

const workspaceMenu = (frame: Frame, viewer: Viewer): Html =>
  html`<div class="menu menu-left" id="menu-workspaces" popover><p class="menu-title">Workspaces</p>${viewer.workspaces.map(
    (workspace) =>
      form(
        "/workspaces/switch",
        frame.formToken,
        html`<button class="menu-item" name="workspace" value="${workspace.id}" ${workspace.id === viewer.workspace.id && html`aria-current="true"`}><bdi>${workspace.name}</bdi><small>${roleName(workspace.role)}</small></button>`,
      ),
  )}<hr><a class="menu-item" href="/workspaces/new">New workspace…</a></div>`;

const accountMenu = (frame: Frame, viewer: Viewer): Html =>
  html`<div class="menu menu-right" id="menu-account" popover><p class="menu-title"><bdi>${viewer.name}</bdi><small>${viewer.email}</small></p><a class="menu-item" href="/account">Account and sessions</a><a class="menu-item" href="/account/tokens">API management</a>${viewer.workspace.role !== "viewer" && html`<a class="menu-item" href="/webhooks">Webhooks</a>`}<a class="menu-item" href="/device">Connect a device</a><a class="menu-item" href="/api-docs">API reference</a><hr>${form(
    "/sign-out",
    frame.formToken,
    html`<button class="menu-item">Sign out</button>`,
  )}</div>`;
