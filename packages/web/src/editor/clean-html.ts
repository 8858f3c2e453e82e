/** Elements whose content is no text of the page that was copied. */
const unwanted =
  "script, style, template, iframe, object, embed, form, input, button, select, textarea, link, meta, title, svg, math, noscript, audio, video, base";
const safeHref = /^(https?:|mailto:|tel:|svc:|\/|#)/i;

/** What other programs put on the clipboard, without what runs, hides or comes from elsewhere by itself. */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const node of page.querySelectorAll(unwanted)) node.remove();
  // Google Docs puts everything into one bold element that is not bold.
  for (const node of page.querySelectorAll("b[style*='font-weight:normal'], b[style*='font-weight: normal']"))
    node.replaceWith(...node.childNodes);
  makeLists(page);
  // What this editor copied has the styles that it means.
  const isOwn = page.querySelector("[data-pm-slice]") !== null;
  for (const node of page.body.querySelectorAll<HTMLElement>("*")) cleanElement(node, isOwn);
  for (const link of page.querySelectorAll("a[href]"))
    if (!safeHref.test(link.getAttribute("href")?.trim() ?? "")) link.removeAttribute("href");
  for (const image of page.querySelectorAll("img"))
    if (!/^https?:/i.test(image.getAttribute("src") ?? "") && !image.hasAttribute("data-attachment-id")) image.remove();
  return page.body.innerHTML;
}

function cleanElement(node: HTMLElement, isOwn: boolean): void {
  for (const { name } of [...node.attributes]) if (name.startsWith("on")) node.removeAttribute(name);
  const style = node.getAttribute("style") ?? "";
  if (/display:\s*none|mso-hide|visibility:\s*hidden/i.test(style)) {
    node.remove();
    return;
  }
  if (isOwn || style === "") return;
  // Pages and word processors name the colour of everything; only a colour that says something is kept.
  for (const property of ["color", "background-color"] as const) {
    const value = node.style.getPropertyValue(property) || node.style.getPropertyValue("background");
    if (!isTinted(value)) node.style.removeProperty(property);
  }
  for (const property of ["font-family", "font-size", "line-height"]) node.style.removeProperty(property);
}

/** Neither black, white nor grey. */
function isTinted(colour: string): boolean {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (!colour.startsWith("rgb"))
    return colour !== "" && !/^(black|white|windowtext|transparent|inherit|initial|gr[ae]y)$/i.test(colour);
  return alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40;
}

/** Word's lists are paragraphs that name their level, each with its sign in front. */
function makeLists(page: Document): void {
  const isItem = (node: Element | null): node is HTMLElement =>
    /mso-list:\s*l\d/i.test(node?.getAttribute("style") ?? "");
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
  const level = Number(/level(\d)/i.exec(node.getAttribute("style") ?? "")?.[1] ?? 1);
  const sign = [...node.querySelectorAll<HTMLElement>("span")].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute("style") ?? ""),
  );
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
