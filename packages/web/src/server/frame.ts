import { type Html, html, type Part, trusted } from "../shared/html.ts";
import { icon, iconSprite } from "../shared/icons.ts";
import type { Look } from "../shared/look.ts";
import type { Frame, Page, Viewer } from "../shared/page.ts";
import { form } from "../shared/parts.ts";
import { assets, assetUrl, FONT } from "./assets.ts";
import { settingsArea } from "./settings-area.ts";
import { sidebar } from "./sidebar.ts";

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect x="5" y="4" width="22" height="24" rx="4" fill="currentColor"/><path d="M11 11h10M11 16h10M11 21h6" stroke="var(--mark-line)" stroke-width="2.4" stroke-linecap="round"/></svg>`;

/** The island of the frame; missing on a tree that was never built. */
const SHELL = "islands/shell.js";

/** The whole document: head, sidebar or bar, page. */
export function document(frame: Frame, page: Page): Html {
  const { viewer } = frame;
  const hasSide = viewer !== undefined && page.shape !== "narrow";
  const scripts = ["page.js", ...(hasSide && assets.has(SHELL) ? [SHELL] : []), ...(page.scripts ?? [])];
  return html`<!doctype html>
<html lang="en"${lookAttributes(frame.look)}${frame.readAt && html` data-href="${frame.readAt}"`}>
<head>
<meta charset="utf-8">
<title>${page.title} · svc</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${hasSide && html`<meta name="form-token" content="${frame.formToken}">\n<meta name="may-write" content="${viewer.workspace.role === "viewer" ? "0" : "1"}">\n`}${frame.hasFont && html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${assetUrl(FONT)}">\n`}<link rel="icon" href="${assetUrl("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetUrl("style.css")}">
${hasSide && ["shell.css", "text.css", page.here?.document ? "page.css" : "lists.css"].map(stylesheet)}${page.css && trusted(`<style>${page.css}</style>\n`)}${(page.styles ?? []).map(stylesheet)}${(page.preloads ?? []).map((path) => html`<link rel="preload" as="fetch" crossorigin href="${path}">\n`)}${scripts.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}</head>
<body class="${hasSide && "has-side"}">
<a class="skip" href="#main">Skip to content</a>
${hasSide ? [iconSprite, phoneBar(viewer), sidebar(frame, viewer, page.here)] : plainBar(frame)}
<main id="main" tabindex="-1" class="main main-${page.shape ?? "plain"}">
${frame.notice && noticePart(frame, frame.notice)}
${page.shape === "settings" && viewer ? settingsArea(frame.path, viewer, page.main) : page.main}
</main>
</body>
</html>
`;
}

const noticePart = ({ undo, formToken }: Frame, text: string): Part =>
  undo
    ? html`<div class="banner banner-good banner-undo"><span role="status">${text}</span>${form(
        undo.action,
        formToken,
        html`${Object.entries(undo.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button button-small">Undo</button>`,
      )}</div>`
    : html`<p class="banner banner-good" role="status">${text}</p>`;

const stylesheet = (name: string): Html => html`<link rel="stylesheet" href="${assetUrl(name)}">\n`;

const lookAttributes = (look: Look | undefined): Part =>
  look && [
    look.theme !== "system" && html` data-theme="${look.theme}"`,
    look.zone !== "" && html` data-zone="${look.zone}"`,
    look.dates !== "words" && html` data-dates="${look.dates}"`,
  ];

const plainBar = (frame: Frame): Html =>
  html`<header class="bar bar-plain"><a class="brand" href="/">${mark}<span>svc</span></a>${
    frame.viewer && html`<p class="bar-note">Signed in as <bdi>${frame.viewer.name}</bdi></p>`
  }</header>`;

/** Opens the sidebar on narrow screens. */
const phoneBar = (viewer: Viewer): Html =>
  html`<header class="bar bar-phone"><button type="button" class="icon-button" popovertarget="side" aria-label="Open the sidebar">${icon("menu")}</button><a class="brand" href="/"><bdi class="menu-label">${viewer.workspace.name}</bdi><span class="visually-hidden">, home</span></a><a class="icon-button" href="/search" aria-label="Search">${icon("search")}</a></header>`;
