import { escapeHtml } from "@svc/document/html/escape";
import { WeakCache } from "../../../cache/weak-cache.ts";
import type { ShownHit } from "../../../views/search/read/represent-hits.ts";
import { sitePageUrl } from "./follow-links.ts";
import { frame, type SharePage } from "./page.ts";
import type { Site, SiteLine } from "./site-tree.ts";

/** Deeper levels are not indented further. */
const MAX_DEPTH = 6;

function lineOf(token: string, { depth, title, id }: SiteLine): string {
  const attributes = `class="depth-${Math.min(depth, MAX_DEPTH)}"`;
  const name = escapeHtml(title);
  if (id === null) return `<li ${attributes}><span class="folder" dir="auto">${name}</span></li>`;
  return `<li ${attributes}>${linkTo(token, id)} dir="auto">${name}</a></li>`;
}

const linkTo = (token: string, id: string): string => `<a href="${sitePageUrl(token, id)}"`;

function linesOf(token: string, { lines, lineCount }: Site): string {
  if (lines.length === 0) return '<p class="quiet">There is nothing in this folder yet.</p>';
  const left = lineCount - lines.length;
  const more = left > 0 ? `<p class="quiet">And ${left} more: search finds them.</p>` : "";
  return `<ul class="tree">${lines.map((line) => lineOf(token, line)).join("")}</ul>${more}`;
}

/** One entry per site: a folder has one link at a time. */
const TREES = new WeakCache<Site, { readonly token: string; readonly html: string }>("share_trees");

function treeOf(token: string, site: Site, current?: string): string {
  const kept = TREES.get(site);
  const html = kept?.token === token ? kept.html : linesOf(token, site);
  if (kept?.html !== html) TREES.put(site, { token, html });
  if (current === undefined) return html;
  const link = linkTo(token, current);
  return html.replace(`${link} `, () => `${link} aria-current="page" `);
}

const searchForm = (token: string, q = ""): string =>
  `<form class="find" role="search" action="/s/${token}/search" method="get"><label for="q">Search these pages</label><input id="q" name="q" type="search" maxlength="512" value="${escapeHtml(q)}" required><button>Search</button></form>`;

/** The site's navigation, above a page or beside it. */
export const siteNavigation = (token: string, site: Site, current: string): string =>
  `<nav class="site" aria-label="Pages"><p class="home"><a href="/s/${token}" dir="auto">${escapeHtml(site.folder.name)}</a></p>${searchForm(token)}<details><summary class="site-all">All pages</summary>${treeOf(token, site, current)}</details></nav>`;

const whole = (title: string, main: string): SharePage =>
  frame({
    title,
    lang: "und",
    css: "",
    hasForm: true,
    main: `<div class="page"><header class="head"><h1 dir="auto">${escapeHtml(title)}</h1></header>
<main class="text" id="main:text" tabindex="-1">${main}</main>
<footer class="foot">Shared read-only</footer></div>`,
  });

export const siteHome = (token: string, site: Site): SharePage =>
  whole(site.folder.name, `${searchForm(token)}<nav aria-label="Pages">${treeOf(token, site)}</nav>`);

const anchorOf = (blockId: string): string => (blockId === "" ? "" : `#${encodeURIComponent(blockId)}`);

const hitOf = (token: string, { titles }: Site, { block: { document, blockId }, context }: ShownHit) =>
  `<li><a href="${sitePageUrl(token, document.row.id)}${anchorOf(blockId)}" dir="auto">${escapeHtml(titles.get(document.row.id) ?? "")}</a><p class="hit-text" dir="auto">${escapeHtml(context.before)}<mark>${escapeHtml(context.match)}</mark>${escapeHtml(context.after)}</p></li>`;

/** Omits hits in documents that are not pages of the site, for example translations. */
export function siteFound(
  token: string,
  site: Site,
  q: string,
  hits: readonly ShownHit[],
  problem?: string,
): SharePage {
  const shown = hits.filter(({ block }) => site.titles.has(block.document.row.id));
  const found =
    shown.length > 0
      ? `<ul class="hits">${shown.map((hit) => hitOf(token, site, hit)).join("")}</ul>`
      : `<p class="quiet" role="status">${escapeHtml(problem ?? "No page matches.")}</p>`;
  return whole(site.folder.name, `${searchForm(token, q)}${found}<p><a href="/s/${token}">All pages</a></p>`);
}

/** Asks for the link's password. `page` is the page to continue to. */
export const passwordPage = (token: string, page: string, problem?: string): SharePage =>
  frame({
    title: "Password",
    lang: "en",
    css: "",
    hasForm: true,
    main: `<div class="page notice"><main class="text"><h1>This page has a password</h1>
<form class="unlock" action="/s/${token}" method="post"><input type="hidden" name="page" value="${escapeHtml(page)}">
<label for="password">Password</label><input id="password" name="password" type="password" maxlength="200" autocomplete="current-password" required autofocus${problem ? ' aria-invalid="true" aria-describedby="problem"' : ""}>
${problem ? `<p class="problem" id="problem" role="alert">${escapeHtml(problem)}</p>` : ""}<button>Open</button></form></main></div>`,
  });
