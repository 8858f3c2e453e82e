import { defined } from "../defined.ts";
import { lookupTable } from "../lookup-table.ts";
import type { Json, Node } from "../types.ts";
import type { HtmlContext } from "./context.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { footnoteName, image, renderInline } from "./inline.ts";
import { sanitiseHtml } from "./raw/sanitise.ts";
import { colourStyle } from "./style.ts";
import { isSafeLink } from "./url.ts";

export type { HtmlContext } from "./context.ts";

type Renderer = (node: Node, ctx: HtmlContext) => string;

const str = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const children = (node: Node, ctx: HtmlContext): string => renderBody(node.content ?? [], ctx);

const wrap =
  (tag: string): Renderer =>
  (node, ctx) =>
    `<${tag}>\n${children(node, ctx)}</${tag}>`;

function heading(node: Node, ctx: HtmlContext): string {
  const level = Math.min(6, Math.max(1, Math.floor(Number(node.attrs?.level)) || 1));
  const id = str(node.attrs?.id);
  const idAttribute = ctx.markPlace?.(id) ?? attribute("id", ctx.slugs?.get(id) || null);
  return `<h${level}${idAttribute}${colourStyle("text-align", node.attrs?.textAlign)}>${renderInline(node.content, ctx)}</h${level}>`;
}

function orderedList(node: Node, ctx: HtmlContext): string {
  const start = node.attrs?.start;
  const isOwn = typeof start === "number" && Number.isInteger(start) && start !== 1;
  const type = str(node.attrs?.type);
  const numbers = /^[aAiI]$/.test(type) ? type : null;
  return `<ol${attribute("start", isOwn ? start : null)}${attribute("type", numbers)}>\n${children(node, ctx)}</ol>`;
}

function taskItem(node: Node, ctx: HtmlContext): string {
  const isChecked = node.attrs?.checked === true;
  const checked = isChecked ? " checked" : "";
  return `<li class="task-item" data-type="taskItem" data-checked="${isChecked}"><input type="checkbox" disabled${checked}${ctx.task?.(node) ?? ""}>\n${children(node, ctx)}</li>`;
}

const blockName = /(?:^|\s+)\^(?:(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{2,100}|[0-9]{6})$/;

/** Without the name of the block, `^name`, which Obsidian has at its end and shows nowhere. */
function withoutName(content: Node["content"]): Node["content"] {
  const last = content?.at(-1);
  if (last?.type !== "text" || last.marks?.length || !last.text?.includes("^")) return content;
  return [...defined(content).slice(0, -1), { ...last, text: last.text.replace(blockName, "") }];
}

/** An item of one paragraph shows its text without a paragraph around it. */
function listItem(node: Node, ctx: HtmlContext): string {
  const [only] = node.content ?? [];
  if (node.content?.length === 1 && defined(only).type === "paragraph")
    return `<li>${renderInline(withoutName(defined(only).content), ctx)}</li>`;
  return `<li>\n${children(node, ctx)}</li>`;
}

function codeBlock(node: Node, ctx: HtmlContext): string {
  const language = str(node.attrs?.language).replace(/[^\p{L}\p{N}_.+#-]/gu, "");
  const text = (node.content ?? []).map((child) => child.text ?? "").join("");
  return `<pre><code${attribute("class", language ? `language-${language}` : null)}>${(language && ctx.code?.(text, language)) || escapeHtml(text)}</code></pre>`;
}

function figure(node: Node, ctx: HtmlContext): string {
  const caption = str(node.attrs?.title);
  return `<figure>${image(node, ctx)}${caption ? `<figcaption>${escapeHtml(caption)}</figcaption>` : ""}</figure>`;
}

const spanOf = (value: Json | undefined): number | null =>
  typeof value === "number" && Number.isInteger(value) && value > 1 && value <= 1000 ? value : null;

const cell =
  (tag: "th" | "td"): Renderer =>
  (node, ctx) => {
    const { colspan, rowspan, align } = node.attrs ?? {};
    const attrs =
      attribute("colspan", spanOf(colspan)) + attribute("rowspan", spanOf(rowspan)) + colourStyle("text-align", align);
    const [only] = node.content ?? [];
    const isLine = node.content?.length === 1 && defined(only).type === "paragraph";
    return `<${tag}${attrs}>${isLine ? renderInline(defined(only).content, ctx) : children(node, ctx)}</${tag}>`;
  };

/** Pixels; a wider column is not one that somebody dragged. */
const MAX_WIDTH = 4000;

/** The widths of the columns, as the cells of the first row have them; nothing where none has one. */
function columns(first: Node | undefined): string {
  const widths = (first?.content ?? []).flatMap(({ attrs }) => {
    const given = Array.isArray(attrs?.colwidth) ? attrs.colwidth : [];
    return Array.from({ length: spanOf(attrs?.colspan) ?? 1 }, (_, i) => Number(given[i]) || 0);
  });
  if (!widths.some((width) => width > 0)) return "";
  const isWidth = (width: number) => width > 0 && width <= MAX_WIDTH;
  return `<colgroup>${widths.map((width) => `<col${isWidth(width) ? attribute("style", `width:${Math.round(width)}px`) : ""}>`).join("")}</colgroup>\n`;
}

function table(node: Node, ctx: HtmlContext): string {
  const rows = node.content ?? [];
  const isHead = rows[0]?.content?.every((part) => part.type === "tableHeader") ?? false;
  const head = isHead ? `<thead>\n${renderBlock(defined(rows[0]), ctx)}\n</thead>\n` : "";
  const body = renderBody(isHead ? rows.slice(1) : rows, ctx);
  return `<table>\n${columns(rows[0])}${head}${body === "" ? "" : `<tbody>\n${body}</tbody>\n`}</table>`;
}

const calloutKinds = new Set(["note", "tip", "important", "warning", "caution"]);

function callout(node: Node, ctx: HtmlContext): string {
  const kind = calloutKinds.has(str(node.attrs?.kind)) ? str(node.attrs?.kind) : "note";
  return `<aside class="callout callout-${kind}" role="note">\n${children(node, ctx)}</aside>`;
}

function attachment(node: Node, ctx: HtmlContext): string {
  const id = str(node.attrs?.attachmentId);
  const url = (id && ctx.attachmentUrl?.(id)) || (id && `/api/v1/attachments/${encodeURIComponent(id.toWellFormed())}`);
  const name = escapeHtml(str(node.attrs?.name) || id);
  return `<p class="attachment">${url && isSafeLink(url) ? `<a${attribute("href", url)} download>${name}</a>` : name}</p>`;
}

function footnote(node: Node, ctx: HtmlContext): string {
  const label = str(node.attrs?.label);
  const id = attribute("id", footnoteName(label));
  return `<div class="footnote"${id} role="doc-footnote"><span class="footnote-label">${escapeHtml(label)}</span>\n${children(node, ctx)}</div>`;
}

/** Raw HTML that may be shown is shown, made again; any other as its source. */
function rawHtml(node: Node): string {
  const html = str(node.attrs?.html);
  const safe = sanitiseHtml(html);
  return safe === undefined
    ? `<pre class="raw-html"><code>${escapeHtml(html)}</code></pre>`
    : `<div class="raw-html">${safe}</div>`;
}

/** A video of another host is a link: nothing is fetched from there. */
function youtube(node: Node): string {
  const src = str(node.attrs?.src);
  return `<p>${isSafeLink(src) ? `<a${attribute("href", src)} rel="noopener noreferrer">${escapeHtml(src)}</a>` : escapeHtml(src)}</p>`;
}

const renderers: Readonly<Record<string, Renderer>> = lookupTable({
  paragraph: (node: Node, ctx: HtmlContext) =>
    `<p${colourStyle("text-align", node.attrs?.textAlign)}>${renderInline(withoutName(node.content), ctx)}</p>`,
  heading,
  bulletList: wrap("ul"),
  orderedList,
  listItem,
  taskList: (node: Node, ctx: HtmlContext) =>
    `<ul class="task-list" data-type="taskList">\n${children(node, ctx)}</ul>`,
  taskItem,
  blockquote: wrap("blockquote"),
  codeBlock,
  horizontalRule: () => "<hr>",
  image: figure,
  table,
  tableRow: wrap("tr"),
  tableHeader: cell("th"),
  tableCell: cell("td"),
  callout,
  details: (node: Node, ctx: HtmlContext) =>
    `<details${node.attrs?.open === true ? " open" : ""}>\n${children(node, ctx)}</details>`,
  detailsSummary: (node: Node, ctx: HtmlContext) => `<summary>${renderInline(node.content, ctx)}</summary>`,
  detailsContent: (node: Node, ctx: HtmlContext) => children(node, ctx).trimEnd(),
  blockMath: (node: Node, ctx: HtmlContext) =>
    ctx.math?.(str(node.attrs?.latex), true) ??
    `<div class="math math-block" data-type="block-math"${attribute("data-latex", str(node.attrs?.latex))}><pre><code>${escapeHtml(str(node.attrs?.latex))}</code></pre></div>`,
  attachment,
  footnoteDefinition: footnote,
  rawHtml,
  youtube,
});

/**
 * One block as HTML. Made from the schema alone: nothing of the body reaches the page but escaped text, checked
 * addresses, numbers and a few checked style values. Depends on the block and the context only.
 */
export const renderBlock = (node: Node, ctx: HtmlContext = {}): string => renderers[node.type]?.(node, ctx) ?? "";

/** Blocks as HTML, each followed by a line end. */
export function renderBody(nodes: readonly Node[], ctx: HtmlContext = {}): string {
  let html = "";
  for (const node of nodes) html += `${renderBlock(node, ctx)}\n`;
  return html;
}
