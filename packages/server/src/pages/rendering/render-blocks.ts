import { setImmediate } from "node:timers/promises";
import type { HtmlContext } from "@svc/document/html/context";
import { renderBlock } from "@svc/document/html/render";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import { withResults } from "@svc/document/sheet/with-results";
import type { Body, Node } from "@svc/document/types";
import { type Html, trusted } from "@svc/web/html";
import { LONG_CELL } from "@svc/web/long-cell";
import type { StoredBody } from "../../bodies/body.ts";
import { findNamedPage } from "../../resources/links-by-name/read-pages.ts";
import { highlight } from "./highlight.ts";
import { liftStyles, StyleRules } from "./lift-styles.ts";
import { math } from "./math.ts";

/** Where a page differs from others that show the same body. */
interface Place {
  readonly attachmentUrl: (id: string) => string;
  readonly linkUrl: (href: string) => string | undefined;
}

/** `svc://doc/ID#block=B` as one of our pages; anything else stays as it is. */
export function pageOfLink(href: string): string | undefined {
  const match = /^svc:\/\/doc\/(\w+)(?:#block=(\w+))?$/.exec(href);
  if (!match) return undefined;
  const [, document, block] = match;
  return `/documents/${document}${block ? `?block=${block}#${block}` : ""}`;
}

/** A page of the workspace. */
const forMembers: Place = {
  attachmentUrl: (id) => `/files/${encodeURIComponent(id)}`,
  linkUrl: pageOfLink,
};

/** The same, where links that name pages by their titles lead to them; documents by the keys of their titles. */
export const forMembersWith = (pages: ReadonlyMap<string, string>): Place => ({
  ...forMembers,
  linkUrl: (href) => pageOfLink(href) ?? pageOfName(href, pages),
});

function pageOfName(href: string, pages: ReadonlyMap<string, string>): string | undefined {
  const found = findNamedPage(pages, href);
  return found && `/documents/${found.id}${found.slug && `#section-${found.slug}`}`;
}

interface Options {
  /** A block to be shown as the one asked for: the top-level one that is or holds it. */
  readonly target?: { readonly position: number; readonly id: string } | undefined;
  readonly place?: Place;
}

/** A body as markup, and the rules of the classes in it. */
interface Rendered {
  readonly html: Html;
  readonly css: string;
}

/** The body as it is read: a spreadsheet with the results of its formulas. */
export const shownBody = ({ documentType, body }: Pick<StoredBody, "documentType" | "body">): Body =>
  documentType === "spreadsheet" ? { ...body, content: withResults(body.content, Date.now()) } : body;

/** How long one page may keep the others waiting. */
const TURN_MS = 15;

/**
 * A body as every page shows it, one part per top-level block that a link can lead to. A long one gives way to other
 * requests.
 */
export async function renderBlocks(body: Body, { target, place }: Options = {}): Promise<Rendered> {
  const rules = new StyleRules();
  const render = blockRenderer(body, rules, place);
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

/** From so many blocks on, the browser lays out only the stretches that are near the window. */
const LONG = 400;

/** Blocks of one stretch: with one of each block its own, browsers spend most of their time on watching them. */
const STRETCH = 50;

const inStretches = (parts: readonly string[]): readonly string[] =>
  parts.length <= LONG
    ? parts
    : Array.from({ length: Math.ceil(parts.length / STRETCH) }, (_, index) => {
        const blocks = parts.slice(index * STRETCH, (index + 1) * STRETCH);
        return `<div class="stretch">${blocks.join("\n")}</div>`;
      });

/** Renders blocks of one body. Heading ids have a prefix, so that none is taken for a part of the page around it. */
export function blockRenderer(body: Body, rules: StyleRules, place: Place = forMembers): (block: Node) => string {
  const prefixed = new Map([...slugs(body)].map(([id, slug]) => [id, `section-${slug}`]));
  const context: HtmlContext = { ...place, slugs: prefixed, code: highlight, math, task: taskAttributes };
  return (block) => liftStyles(forPage(renderBlock(block, context)), rules);
}

/** Names the box for who cannot see it, and the block for the script that lets who may write tick it. */
const taskAttributes = (node: Node): string =>
  ` aria-label="${node.attrs?.checked === true ? "Done" : "To do"}" data-task="${encodeURIComponent(idOf(node))}"`;

/** Plain markup and what a page needs instead: parts that scroll by themselves. */
const adjustments: readonly (readonly [string, string])[] = [
  ["<table>\n", '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'],
  ["</table>", "</table></div>"],
  ["<pre>", '<pre tabindex="0">'],
];

/** A block has the direction of its first letter: sides of lists, boxes and tables follow. Lines in it find their own by the stylesheet. */
const blockBegins = /^<(p|ul|ol|h[1-6]|div|aside|section|blockquote|details|figure)(?=[ >])/;

const cells = /<(td|th)((?: [^<>]*)?)>([\s\S]*?)<\/\1>/g;

const isLong = (cell: string): boolean => cell.length > LONG_CELL && cell.replace(/<[^>]*>/g, "").length > LONG_CELL;

/** Quotes and angles in text are escaped, so this can only meet markup. */
export const forPage = (html: string): string =>
  adjustments
    .reduce((text, [plain, adjusted]) => text.replaceAll(plain, adjusted), html)
    .replace(cells, (whole, name, rest, inside) =>
      isLong(inside) ? `<${name}${rest} class="long-cell">${inside}</${name}>` : whole,
    )
    .replace(blockBegins, '<$1 dir="auto"');

/** The colour that a document was given, for what has the class `coloured`. */
export const backgroundRule = (colour: string): string =>
  /^#[0-9a-f]{3,8}$/i.test(colour) ? `.coloured{--page-colour:${colour}}` : "";
