import { runsSomething } from "@svc/document/html/url";
import { originalAddress } from "../views/picture-source.ts";
import { nameKnownParts } from "./known-html.ts";

/** Elements whose content is not text of the copied page. */
const unwanted =
  "script, style, template, iframe, object, embed, form, input, button, select, textarea, link, meta, title, svg, math, noscript, audio, video, base";
const safeHref = /^(https?:|mailto:|tel:|svc:|\/|#)/i;

/** Holds an element's styles, since the content policy removes style attributes before they can be read. */
const CSS = "data-css";

/** Removes scripts, hidden parts and external resources from HTML on the clipboard. */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  // HTML from this editor stores colours in attributes, and its links are those of the text.
  const isOwn = page.querySelector("[data-pm-slice]") !== null;
  if (!isOwn) nameKnownParts(page);
  for (const node of page.querySelectorAll(unwanted)) node.remove();
  makeLists(page);
  if (!isOwn) dropSpacing(page);
  for (const node of [...page.body.querySelectorAll<HTMLElement>("*")]) cleanElement(page, node, isOwn);
  for (const link of page.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href")?.trim() ?? "";
    if (runsSomething(href) || !(isOwn || safeHref.test(href))) link.removeAttribute("href");
  }
  for (const image of page.querySelectorAll("img")) {
    const original = originalAddress(image.getAttribute("src") ?? "");
    if (original !== undefined) image.setAttribute("src", original);
    if (!/^https?:/i.test(image.getAttribute("src") ?? "") && !image.hasAttribute("data-attachment-id")) image.remove();
  }
  return page.body.innerHTML;
}

const BLOCKS = "p, div, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, pre, hr, figure, details, section, article";

/** Removes breaks between blocks, as Google Docs writes them, and the line end that closes code. */
function dropSpacing(page: Document): void {
  for (const sign of [...page.querySelectorAll("br")]) {
    const beside = [sign.previousSibling, sign.nextSibling].filter((node) => node !== null);
    const isBlock = (node: Node) => node instanceof Element && node.matches(BLOCKS);
    if (beside.some(isBlock) && beside.every((node) => isBlock(node) || node.nodeName === "BR")) sign.remove();
  }
  for (const code of page.querySelectorAll("pre")) {
    const end = lastText(code);
    if (end) end.data = end.data.replace(/\n$/, "");
  }
}

function lastText(node: Node): Text | undefined {
  const { lastChild } = node;
  if (lastChild instanceof Text) return lastChild;
  return lastChild ? lastText(lastChild) : undefined;
}

const withoutStyles = (html: string): string =>
  html
    .replace(/<style[\s\S]*?<\/style\s*>/gi, "")
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ` ${CSS}=`));

const cssOf = (node: Element): string => node.getAttribute(CSS) ?? "";
const valueIn = (css: string, property: string): string =>
  new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, "i").exec(css)?.[1]?.trim() ?? "";

function cleanElement(page: Document, node: HTMLElement, isOwn: boolean): void {
  const css = cssOf(node);
  node.removeAttribute(CSS);
  for (const { name } of [...node.attributes]) if (name.startsWith("on")) node.removeAttribute(name);
  if (/display:\s*none|mso-hide|visibility:\s*hidden/i.test(css)) {
    node.remove();
    return;
  }
  const side = valueIn(css, "text-align");
  if (/^(center|right)$/i.test(side))
    node.setAttribute(/^T[DH]$/.test(node.tagName) ? "align" : "data-text-align", side);
  if (node.matches("[data-color], [data-background-color], [data-font-size], [data-font-family]"))
    node.setAttribute("style", "");
  // Google Docs puts everything into one bold element that is not bold.
  if (node.tagName === "B" && /^(normal|400)$/.test(valueIn(css, "font-weight"))) node.replaceWith(...node.childNodes);
  else if (!isOwn && css !== "" && !/^(P|DIV|LI|UL|OL|TABLE|T[DHR]|TBODY|H[1-6]|SUMMARY|IMG|BODY)$/.test(node.tagName))
    sayByTags(page, node, css);
}

/** The tag for a style. */
const looks: readonly (readonly [tag: string, property: string, value: RegExp])[] = [
  ["strong", "font-weight", /^(bold|bolder|[6-9]00)$/i],
  ["em", "font-style", /^(italic|oblique)/i],
  ["s", "text-decoration(?:-line)?", /line-through/i],
  ["u", "text-decoration(?:-line)?", /underline/i],
  ["sup", "vertical-align", /^super$/i],
  ["sub", "vertical-align", /^sub$/i],
];

/**
 * Turns bold, italic and similar styles into tags. Drops fonts, sizes and text colours; keeps a background that marks
 * something.
 */
function sayByTags(page: Document, node: HTMLElement, css: string): void {
  const wrap = (tag: string): HTMLElement => {
    const inner = page.createElement(tag);
    inner.append(...node.childNodes);
    node.append(inner);
    return inner;
  };
  for (const [tag, property, value] of looks)
    if (value.test(valueIn(css, property)) && !(tag === "u" && node.closest("a"))) wrap(tag);
  const background = valueIn(css, "background-color") || valueIn(css, "background");
  if (isTinted(background)) wrap("mark").setAttribute("data-color", background);
}

/** Whether a colour is not black, white or grey. */
function isTinted(colour: string): boolean {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i
    .exec(colour)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  const [red = 0, green = 0, blue = 0, alpha = 1] =
    hex ?? (/^rgb/i.test(colour) ? (colour.match(/[\d.]+/g) ?? []).map(Number) : []);
  if (/^(yellow|lime|aqua|fuchsia|red|cyan|magenta)$/i.test(colour)) return true;
  return alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40;
}

/** Word's lists are paragraphs that name their level, each with its sign in front. */
function makeLists(page: Document): void {
  const isItem = (node: Element | null): node is HTMLElement => node !== null && /mso-list:\s*l\d/i.test(cssOf(node));
  for (const first of [...page.body.querySelectorAll("p, div")]) {
    if (!isItem(first) || !first.isConnected) continue;
    const items: HTMLElement[] = [first];
    for (let next = first.nextElementSibling; isItem(next); next = next.nextElementSibling) items.push(next);
    const mark = page.createElement("div");
    first.before(mark);
    mark.replaceWith(listOf(page, items.map(readItem)));
    for (const item of items) item.remove();
  }
}

interface Item {
  readonly level: number;
  readonly isOrdered: boolean;
  readonly content: readonly Node[];
}

function readItem(node: HTMLElement): Item {
  const level = Number(/level(\d)/i.exec(cssOf(node))?.[1] ?? 1);
  const sign = [...node.querySelectorAll("span")].find((span) => /mso-list:\s*ignore/i.test(cssOf(span)));
  const isOrdered = /^\s*[\p{L}\p{N}]{1,4}[.)]/u.test(sign?.textContent ?? "");
  sign?.remove();
  return { level, isOrdered, content: [...node.childNodes] };
}

/** Items of one level or deeper, as a list with lists in it. */
function listOf(page: Document, items: readonly Item[]): HTMLElement {
  const level = items[0]?.level ?? 1;
  const list = page.createElement(items[0]?.isOrdered ? "ol" : "ul");
  for (let at = 0; at < items.length; ) {
    const line = page.createElement("p");
    line.append(...(items[at]?.content ?? []));
    const item = page.createElement("li");
    item.append(line);
    let end = at + 1;
    while (end < items.length && (items[end]?.level ?? 1) > level) end++;
    if (end > at + 1) item.append(listOf(page, items.slice(at + 1, end)));
    list.append(item);
    at = end;
  }
  return list;
}
