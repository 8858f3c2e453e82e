import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { escapeHtml } from "@svc/document/html/escape";
import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { type OutlineItem, outline } from "@svc/document/read/outline";
import type { Body } from "@svc/document/types";
import { assets } from "@svc/web/assets";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { referencesOf } from "../../resources/attachments/references.ts";
import { renderBlocks } from "../rendering/render-blocks.ts";
import { publicBlocks } from "./public-blocks.ts";
import type { FollowLink } from "./site.ts";

export const stylesheet = Buffer.concat([
  readFileSync(new URL("share.css", import.meta.url)),
  assets.get("text.css")?.bytes ?? Buffer.of(),
]);
const stylesheetHash = createHash("sha256").update(stylesheet).digest("hex").slice(0, 12);
export const stylesheetPath = `/s/assets/${stylesheetHash}.css`;

export const iconPath = "/s/assets/icon.svg";
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="5" y="4" width="22" height="24" rx="4" fill="#0b6b57"/><path d="M11 11h10M11 16h10M11 21h6" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>';

export interface SharePage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * No script, no frame, no form but where the page has one; our stylesheet, the one inline style whose hash is given, and
 * this site's pictures.
 */
const policyOf = (css: string, hasForm: boolean): string => {
  const own = css === "" ? "" : ` 'sha256-${createHash("sha256").update(css).digest("base64")}'`;
  return [
    "default-src 'none'",
    `style-src 'self'${own}`,
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ");
};

const headersOf = (css: string, hasForm: boolean): Record<string, string> => ({
  "content-security-policy": policyOf(css, hasForm),
  "x-robots-tag": "noindex, nofollow",
  "cache-control": "private, no-cache",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
});

interface Parts {
  readonly title: string;
  readonly lang: string;
  readonly css: string;
  readonly main: string;
  readonly hasForm?: boolean;
}

export const frame = ({ title, lang, css, main, hasForm = false }: Parts): SharePage => ({
  html: `<!doctype html>
<html lang="${escapeHtml(lang)}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}">
${css && `<style>${css}</style>\n`}</head>
<body>
${main}
</body>
</html>
`,
  headers: headersOf(css, hasForm),
});

/** What surrounds a document on its public page, and where its links lead. */
interface Surroundings {
  readonly token: string;
  readonly follow: FollowLink;
  /** Before the page's own head: the way around a site. */
  readonly navigation?: string;
}

/** The whole public page of a document. Nothing of the body gets in but what the document package made safe. */
export async function sharePage(document: DocumentRow, body: Body, around: Surroundings): Promise<SharePage> {
  const shown = new Set(referencesOf(body.content).map((reference) => reference.attachmentId));
  const fileUrl = (id: string) => `/s/${around.token}/attachments/${encodeURIComponent(id.toWellFormed())}`;
  const linkUrl = (href: string): string | undefined => {
    const followed = around.follow(href);
    if (followed !== undefined) return followed ?? NOWHERE;
    const id = attachmentIdOf(href);
    return id === null ? undefined : shown.has(id) ? fileUrl(id) : NOWHERE;
  };
  const shownBody = { ...body, content: publicBlocks(body.content) };
  const rendered = await renderBlocks(shownBody, { place: { attachmentUrl: fileUrl, linkUrl } });
  const { css } = rendered;
  const html = rendered.html.text;
  return frame({
    title: document.title,
    lang: document.locale ?? "und",
    css: css + backgroundOf(document),
    hasForm: around.navigation !== undefined,
    main: `<a class="skip" href="#main:text">Skip to content</a>
<div class="page">
${around.navigation ?? ""}
<header class="head"><h1 dir="auto">${escapeHtml(document.title)}</h1>${updated(document)}</header>
${contents(outline(body))}
<main class="text prose${document.heading_numbered ? " numbered" : ""}" id="main:text" tabindex="-1">
${html.trim() === "" ? '<p class="quiet">This document is empty.</p>' : html}</main>
<footer class="foot">Shared read-only</footer>
</div>`,
  });
}

/** An address that the renderer refuses, which leaves the words without a link. */
const NOWHERE = "nowhere:";

const backgroundOf = ({ background_color: colour }: DocumentRow): string =>
  colour !== null && /^#[0-9a-f]{3,8}$/i.test(colour)
    ? `@media screen and (prefers-color-scheme:light){:root{--paper:${colour}}}`
    : "";

function updated({ updated_at }: DocumentRow): string {
  const time = new Date(updated_at);
  const shown = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `<p class="when">Updated <time datetime="${time.toISOString()}">${shown}</time></p>`;
}

const MIN_HEADINGS = 3;
const MAX_LISTED = 200;

/** The headings of the first two levels that occur, folded up; beside the text where there is room. */
function contents(items: readonly OutlineItem[]): string {
  const listed = items.flatMap((item) => [
    { item, sub: false },
    ...item.children.map((child) => ({ item: child, sub: true })),
  ]);
  if (listed.length < MIN_HEADINGS) return "";
  const lines = listed
    .slice(0, MAX_LISTED)
    .map(
      ({ item, sub }) =>
        `<li${sub ? ' class="sub"' : ""}><a href="#section-${escapeHtml(encodeURIComponent(item.slug))}">${escapeHtml(item.text)}</a></li>`,
    );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ol>${lines.join("")}</ol></details></nav>`;
}

/** For a link that opens nothing: never known, withdrawn, or its document gone. They look alike. */
export const missingPage = (): SharePage =>
  notice("Nothing to see here", "This link opens no document. It may have been withdrawn.");

export const refusedPage = (): SharePage =>
  notice("That did not work", "Your program sent a request that is not understood here.");

export const troublePage = (): SharePage =>
  notice("Back in a moment", "The service cannot answer right now. Please try again.");

export const busyPage = (): SharePage =>
  notice("Too many requests", "Many requests came from your network. Please try again in a minute.");

const notice = (title: string, text: string): SharePage =>
  frame({
    title,
    lang: "en",
    css: "",
    main: `<div class="page notice"><main class="text"><h1>${title}</h1><p>${text}</p></main></div>`,
  });
