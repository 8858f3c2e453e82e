import { lookupTable } from "../lookup-table.ts";
import { WIKI } from "../markdown/rules/wiki-link.ts";
import { emojiText } from "../read/text.ts";
import type { Json, Mark, Node } from "../types.ts";
import type { HtmlContext } from "./context.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { rawTags } from "./raw/inline-pairs.ts";
import { colourStyle, styleAttribute } from "./style.ts";
import { isSafeImage, isSafeLink } from "./url.ts";

const str = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const size = (value: Json | undefined): string | null =>
  /^([0-9]{1,5}(?:\.[0-9]+)?%?)(?:px)?$/.exec(String(value))?.[1] ?? null;

/** `<img>` of an image node; without a safe source only its description is left. */
export function image(node: Node, ctx: HtmlContext): string {
  const attrs = node.attrs ?? {};
  const own = typeof attrs.attachmentId === "string" ? ctx.attachmentUrl?.(attrs.attachmentId) : undefined;
  const src = own ?? str(attrs.src);
  const alt = str(attrs.alt);
  if (src === "" || !isSafeImage(src)) return `<span class="image-missing">${escapeHtml(alt)}</span>`;
  const title = str(attrs.title) || null;
  const dimensions = attribute("width", size(attrs.width)) + attribute("height", size(attrs.height));
  return `<img${attribute("src", src)}${attribute("alt", alt)}${attribute("title", title)}${dimensions} loading="lazy">`;
}

function linkTag(mark: Mark, ctx: HtmlContext): string {
  const href = str(mark.attrs?.href);
  const target = ctx.linkUrl?.(href) ?? href;
  if (target.startsWith(WIKI)) return `<a${attribute("data-wiki", target.slice(WIKI.length))}>`;
  if (!isSafeLink(target)) return "<a>";
  return `<a${attribute("href", target)}${attribute("title", str(mark.attrs?.title) || null)} rel="noopener noreferrer">`;
}

const tags: Readonly<Record<string, (mark: Mark, ctx: HtmlContext) => string>> = lookupTable({
  link: linkTag,
  bold: () => "<strong>",
  italic: () => "<em>",
  strike: () => "<s>",
  underline: () => "<u>",
  highlight: (mark: Mark) => `<mark${colourStyle("background-color", mark.attrs?.color)}>`,
  textStyle: (mark: Mark) => `<span${styleAttribute(mark.attrs)}>`,
  subscript: () => "<sub>",
  superscript: () => "<sup>",
  kbd: () => "<kbd>",
  code: () => "<code>",
});

/** The fragment name of a footnote, the same for its definition and its references. */
export const footnoteName = (label: string): string => `fn-${encodeURIComponent(label.toWellFormed())}`;

function footnoteReference(node: Node): string {
  const label = str(node.attrs?.label);
  return `<sup class="footnote-ref"><a href="#${escapeHtml(footnoteName(label))}">${escapeHtml(label)}</a></sup>`;
}

const nodes: Readonly<Record<string, (node: Node, ctx: HtmlContext) => string>> = lookupTable({
  text: (node: Node) => escapeHtml(node.text ?? ""),
  hardBreak: () => "<br>",
  inlineImage: image,
  inlineMath: (node: Node, ctx: HtmlContext) =>
    ctx.math?.(str(node.attrs?.latex), false) ??
    `<span class="math math-inline" data-type="inline-math"${attribute("data-latex", str(node.attrs?.latex))}><code>${escapeHtml(str(node.attrs?.latex))}</code></span>`,
  footnoteReference,
  inlineRawHtml: (node: Node) => `<code class="raw-html">${escapeHtml(str(node.attrs?.html))}</code>`,
  mention: (node: Node) => `<span class="mention">@${escapeHtml(str(node.attrs?.label) || str(node.attrs?.id))}</span>`,
  emoji: (node: Node) => escapeHtml(emojiText(node)),
});

const sameMark = (a: Mark, b: Mark): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const tagName = (tag: string): string => tag.slice(1, nameEnd.exec(tag)!.index);
const nameEnd = /[ >]/;

/** Inline content; marks that go on from one node to the next are opened once. */
export function renderInline(content: readonly Node[] | undefined, ctx: HtmlContext): string {
  let html = "";
  const open: { readonly mark: Mark; readonly name: string }[] = [];
  const closeTo = (depth: number): void => {
    while (open.length > depth) html += `</${open.pop()!.name}>`;
  };
  const raw = content?.some((node) => node.type === "inlineRawHtml") ? rawTags(content) : undefined;
  for (const [index, node] of (content ?? []).entries()) {
    if (node.type === "text" && !node.marks) {
      closeTo(0);
      html += escapeHtml(node.text ?? "");
      continue;
    }
    const marks = (node.marks ?? []).filter((mark) => tags[mark.type]);
    let same = 0;
    while (same < open.length && same < marks.length && sameMark(open[same]!.mark, marks[same]!)) same++;
    closeTo(same);
    for (const mark of marks.slice(same)) {
      const tag = tags[mark.type]!(mark, ctx);
      html += tag;
      open.push({ mark, name: tagName(tag) });
    }
    html += raw?.get(index) ?? nodes[node.type]?.(node, ctx) ?? "";
  }
  closeTo(0);
  return html;
}
