import { setImmediate } from "node:timers/promises";
import type { HtmlContext } from "@svc/document/html/context";
import { renderBlock } from "@svc/document/html/render";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { Body, Node } from "@svc/document/types";
import { type Html, trusted } from "@svc/web/shared/html";
import { LONG_CELL } from "@svc/web/shared/long-cell";
import { findNamedPage } from "../../../domain/library/links-by-name/read-pages.ts";
import { highlight } from "./highlight.ts";
import { liftStyles, StyleRules } from "./lift-styles.ts";
import { math } from "./math.ts";

/** The addresses of links and attachments, which differ between pages. */
interface PageUrls {
  readonly attachmentUrl: (id: string) => string;
  readonly linkUrl: (href: string) => string | undefined;
}

/** `svc://doc/ID#block=B` as the address of one of our pages; other links stay unchanged. */
export function pageOfLink(href: string): string | undefined {
  const match = /^svc:\/\/doc\/(\w+)(?:#block=(\w+))?$/.exec(href);
  if (!match) return undefined;
  const [, document, block] = match;
  return `/documents/${document}${block ? `?block=${block}#${block}` : ""}`;
}

/** Rendering for a page of the workspace. */
const forMembers: PageUrls = {
  attachmentUrl: (id) => `/files/${encodeURIComponent(id)}`,
  linkUrl: pageOfLink,
};

/** The same, with links by title resolved; `pages` maps title keys to documents. */
export const forMembersWith = (pages: ReadonlyMap<string, string>): PageUrls => ({
  ...forMembers,
  linkUrl: (href) => pageOfLink(href) ?? pageOfName(href, pages),
});

function pageOfName(href: string, pages: ReadonlyMap<string, string>): string | undefined {
  const found = findNamedPage(pages, href);
  return found && `/documents/${found.id}${found.slug && `#section-${found.slug}`}`;
}

interface Options {
  /** The requested block and the top-level block that is or contains it. */
  readonly target?: { readonly position: number; readonly id: string } | undefined;
  readonly urls?: PageUrls;
}

/** A body as markup, and the rules of its classes. */
interface Rendered {
  readonly html: Html;
  readonly css: string;
}

/** How long one page may block others. */
const TURN_MS = 15;

/**
 * Renders a body for any page, with one part per top-level block so that links can lead to it. Yields to other requests
 * while rendering a long body.
 */
export async function renderBlocks(body: Body, { target, urls }: Options = {}): Promise<Rendered> {
  const rules = new StyleRules();
  const render = blockRenderer(body, rules, urls);
  const parts: string[] = [];
  let began = performance.now();
  for (const [position, block] of body.content.entries()) {
    const isTarget = position === target?.position;
    const id = encodeURIComponent(isTarget ? target.id : idOf(block));
    parts.push(`<div class="block${isTarget ? " block-target" : ""}" id="${id}">${render(block)}</div>`);
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return { html: trusted(inStretches(parts).join("\n")), css: rules.css };
}

/** From this number of blocks on, the browser lays out only the stretches near the window. */
const MIN_BLOCKS_FOR_STRETCHES = 400;

/** Blocks in one stretch: if each block had its own, browsers would spend most of their time watching them. */
const BLOCKS_PER_STRETCH = 50;

const inStretches = (parts: readonly string[]): readonly string[] =>
  parts.length <= MIN_BLOCKS_FOR_STRETCHES
    ? parts
    : Array.from({ length: Math.ceil(parts.length / BLOCKS_PER_STRETCH) }, (_, index) => {
        const blocks = parts.slice(index * BLOCKS_PER_STRETCH, (index + 1) * BLOCKS_PER_STRETCH);
        return `<div class="stretch">${blocks.join("\n")}</div>`;
      });

/**
 * Returns a renderer for the blocks of one body. Heading ids get a prefix so they cannot collide with parts of the page
 * around it.
 */
export function blockRenderer(body: Body, rules: StyleRules, urls: PageUrls = forMembers): (block: Node) => string {
  const prefixed = new Map([...slugs(body)].map(([id, slug]) => [id, `section-${slug}`]));
  const context: HtmlContext = { ...urls, slugs: prefixed, code: highlight, math, task: taskAttributes };
  return (block) => liftStyles(forPage(renderBlock(block, context)), rules);
}

/** Labels the checkbox for screen readers, and names the block for the script that lets writers tick it. */
const taskAttributes = (node: Node): string =>
  ` aria-label="${node.attrs?.checked === true ? "Done" : "To do"}" data-task="${encodeURIComponent(idOf(node))}"`;

/** Replaces plain markup by what a page needs: parts that scroll separately. */
const adjustments: readonly (readonly [string, string])[] = [
  ["<table>\n", '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'],
  ["</table>", "</table></div>"],
  ["<pre>", '<pre tabindex="0">'],
];

/**
 * A block takes the direction of its first letter, and lists, boxes and tables follow. Each line inside finds its own
 * by the stylesheet.
 */
const blockBegins = /^<(p|ul|ol|h[1-6]|div|aside|section|blockquote|details|figure)(?=[ >])/;

const cells = /<(td|th)((?: [^<>]*)?)>([\s\S]*?)<\/\1>/g;

const isLong = (cell: string): boolean => cell.length > LONG_CELL && cell.replace(/<[^>]*>/g, "").length > LONG_CELL;

/** Text escapes quotes and angle brackets, so these patterns only match markup. */
export const forPage = (html: string): string =>
  adjustments
    .reduce((text, [plain, adjusted]) => text.replaceAll(plain, adjusted), html)
    .replace(cells, (whole, name, rest, inside) =>
      isLong(inside) ? `<${name}${rest} class="long-cell">${inside}</${name}>` : whole,
    )
    .replace(blockBegins, '<$1 dir="auto"');

/** The document's background colour, for elements with the class `coloured`. */
export const backgroundRule = (colour: string): string =>
  /^#[0-9a-f]{3,8}$/i.test(colour) ? `.coloured{--page-colour:${colour}}` : "";
