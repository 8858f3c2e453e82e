import { setImmediate } from "node:timers/promises";
import { renderBlock } from "@svc/document/html/render";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { Body, Node } from "@svc/document/types";
import { type Html, trusted } from "@svc/web/html";

/** `svc://doc/ID#block=B` as one of our pages; anything else stays as it is. */
export function pageOfLink(href: string): string | undefined {
  const match = /^svc:\/\/doc\/(\w+)(?:#block=(\w+))?$/.exec(href);
  if (!match) return undefined;
  const [, document, block] = match;
  return `/documents/${document}${block ? `?block=${block}#${block}` : ""}`;
}

interface Options {
  /** A block to be shown as the one asked for: the top-level one that is or holds it. */
  readonly target?: { readonly position: number; readonly id: string } | undefined;
}

/** How long one page may keep the others waiting. */
const TURN_MS = 15;

/** A body as markup, one part per top-level block that a link can lead to. A long one gives way to other requests. */
export async function renderBlocks(body: Body, { target }: Options = {}): Promise<Html> {
  const render = blockRenderer(body);
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
  return trusted(parts.join("\n"));
}

/** Renders blocks of one body. Heading ids have a prefix, so that none is taken for a part of the page around it. */
export function blockRenderer(body: Body): (block: Node) => string {
  const prefixed = new Map([...slugs(body)].map(([id, slug]) => [id, `section-${slug}`]));
  const context = {
    slugs: prefixed,
    attachmentUrl: (id: string) => `/files/${encodeURIComponent(id)}`,
    linkUrl: pageOfLink,
  };
  return (block) => forPage(renderBlock(block, context));
}

/** Plain markup and what a page needs instead: a name for a task's box, and parts that scroll by themselves. */
const adjustments: readonly (readonly [string, string])[] = [
  ['<input type="checkbox" disabled checked>', '<input type="checkbox" disabled checked aria-label="Done">'],
  ['<input type="checkbox" disabled>', '<input type="checkbox" disabled aria-label="To do">'],
  ["<table>\n", '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'],
  ["</table>", "</table></div>"],
  ["<pre>", '<pre tabindex="0">'],
  // Our policy lets no style attribute through: the few that a body may have travel as data, and a script puts them on.
  [' style="', ' data-style="'],
];

/** Quotes and angles in text are escaped, so this can only meet markup. */
const forPage = (html: string): string =>
  adjustments.reduce((text, [plain, adjusted]) => text.replaceAll(plain, adjusted), html);
