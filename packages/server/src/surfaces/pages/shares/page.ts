import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { escapeHtml } from "@svc/document/html/escape";
import { assets } from "@svc/web/server/assets";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { PublicText } from "./kept-pages.ts";

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
  readonly html: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Allows no script, no frame, and a form only where the page has one; only our stylesheet, the inline style with this
 * hash, and this site's pictures.
 */
const policyOf = (css: string, hasForm: boolean): string => {
  const own = css === "" ? "" : ` 'sha256-${createHash("sha256").update(css).digest("base64")}'`;
  return [
    "default-src 'none'",
    `style-src 'self'${own}`,
    "img-src 'self'",
    "media-src 'self'",
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
  /** A long text that follows `main`, and the end of the page behind it. */
  readonly text?: { readonly bytes: Buffer; readonly end: string };
}

export function frame({ title, lang, css, main, hasForm = false, text }: Parts): SharePage {
  const begin = `<!doctype html>
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
${main}`;
  const end = `${text?.end ?? ""}
</body>
</html>
`;
  const html = text ? Buffer.concat([Buffer.from(begin), text.bytes, Buffer.from(end)]) : begin + end;
  return { html, headers: headersOf(css, hasForm) };
}

/** The public page of a document. A page of a site has its navigation before the heading. */
export function sharePage(document: DocumentRow, rendered: PublicText, navigation?: string): SharePage {
  return frame({
    title: document.title,
    lang: document.locale ?? "und",
    css: rendered.css + backgroundOf(document),
    hasForm: navigation !== undefined,
    main: `<a class="skip" href="#main:text">Skip to content</a>
<div class="page">
${navigation ?? ""}
<header class="head"><h1 dir="auto">${escapeHtml(document.title)}</h1>${updated(document)}</header>
${rendered.contents}
<main class="text prose${document.heading_numbered ? " numbered" : ""}" id="main:text" tabindex="-1">
`,
    text: { bytes: rendered.html, end: '</main>\n<footer class="foot">Shared read-only</footer>\n</div>' },
  });
}

const backgroundOf = ({ background_color: colour }: DocumentRow): string =>
  colour !== null && /^#[0-9a-f]{3,8}$/i.test(colour)
    ? `@media screen and (prefers-color-scheme:light){:root{--paper:${colour}}}`
    : "";

function updated({ updated_at }: DocumentRow): string {
  const time = new Date(updated_at);
  const shown = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `<p class="when">Updated <time datetime="${time.toISOString()}">${shown}</time></p>`;
}

/** For a link that opens nothing. Unknown, revoked and orphaned links look the same. */
export const missingPage = (): SharePage =>
  notice("Nothing to see here", "This link opens no document. It may have been withdrawn.");

export const refusedPage = (): SharePage =>
  notice("That did not work", "Your browser sent a request that the server does not understand.");

export const troublePage = (): SharePage =>
  notice("Back in a moment", "The service cannot answer right now. Please try again.");

export const busyPage = (): SharePage =>
  notice("Too many requests", "Too much was asked for at once. Please try again in a minute.");

const notice = (title: string, text: string): SharePage =>
  frame({
    title,
    lang: "en",
    css: "",
    main: `<div class="page notice"><main class="text"><h1>${title}</h1><p>${text}</p></main></div>`,
  });
