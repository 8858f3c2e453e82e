import { escapeHtml } from "@svc/document/html/escape";
import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { type OutlineItem, outline } from "@svc/document/read/outline";
import type { Body } from "@svc/document/types";
import { referencesOf } from "../../../domain/content/attachments/references.ts";
import { renderBlocks } from "../rendering/render-blocks.ts";
import { linkFollower, type PublicPlace } from "./follow-links.ts";

/** The part of a public page that follows from its body. */
export interface RenderedPublic {
  readonly css: string;
  /** The list of headings. */
  readonly contents: string;
  readonly html: string;
}

/** An address that the renderer refuses, so that the text stays without a link. */
const NOWHERE = "nowhere:";

/** The address at which the page of a link reads an attachment. */
export const shareFileUrl = (token: string, id: string): string =>
  `/s/${token}/attachments/${encodeURIComponent(id.toWellFormed())}`;

/** Renders a body. Only markup that the document package made safe is included. */
export async function renderPublic(body: Body, place: PublicPlace): Promise<RenderedPublic> {
  const shown = new Set(referencesOf(body.content).map((reference) => reference.attachmentId));
  const attachmentUrl = (id: string) => shareFileUrl(place.token, id);
  const follow = linkFollower(place);
  const linkUrl = (href: string): string | undefined => {
    const followed = follow(href);
    if (followed !== undefined) return followed ?? NOWHERE;
    const id = attachmentIdOf(href);
    return id === null ? undefined : shown.has(id) ? attachmentUrl(id) : NOWHERE;
  };
  const { html, css } = await renderBlocks(body, { urls: { attachmentUrl, linkUrl } });
  return {
    css,
    contents: contents(outline(body)),
    html: html.text.trim() === "" ? '<p class="quiet">This document is empty.</p>' : html.text,
  };
}

const MIN_HEADINGS = 3;
const MAX_LISTED = 200;

/** The headings of the first two levels in use, collapsed; beside the text if there is room. */
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
