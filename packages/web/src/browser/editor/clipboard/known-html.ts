import { ownAddress } from "./own-address.ts";

/** An element in the editor's own words, in the place of what a page shows. */
function put(page: Document, old: Element, tag: "div" | "span", type: string, attrs: Readonly<Record<string, string>>) {
  const made = page.createElement(tag);
  made.dataset.type = type;
  for (const [name, value] of Object.entries(attrs)) made.setAttribute(`data-${name}`, value);
  old.replaceWith(made);
  return made;
}

const SIGN = /^\s*\[([ xX])\]\s/;

function firstText(node: Element): Text | undefined {
  const text = node.ownerDocument.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
  return text instanceof Text ? text : undefined;
}

/** Whether a list item is a task that is done: by its box, by its role, or by a sign of Markdown. */
function readTask(item: Element): boolean | undefined {
  const box = item.querySelector('input[type="checkbox"]');
  if (box?.closest("li") === item) return box.hasAttribute("checked");
  if (item.getAttribute("role") === "checkbox") return item.getAttribute("aria-checked") === "true";
  const sign = SIGN.exec(firstText(item)?.data ?? "")?.[1];
  return sign === undefined ? undefined : sign !== " ";
}

/** Lists of tasks, as Git hosts, Google Docs and Notion copy them. */
function nameTasks(page: Document): void {
  for (const list of page.querySelectorAll<HTMLElement>("ul:not([data-type])")) {
    const items = [...list.querySelectorAll<HTMLElement>(":scope > li")];
    const states = items.map(readTask);
    if (items.length === 0 || states.includes(undefined)) continue;
    list.dataset.type = "taskList";
    for (const [i, item] of items.entries()) {
      item.dataset.type = "taskItem";
      item.dataset.checked = String(states[i]);
      const text = firstText(item);
      if (text) text.data = text.data.replace(SIGN, "");
    }
  }
}

const KINDS = /(?:callout|markdown-alert)-(note|tip|important|warning|caution)\b/;

function nameCallouts(page: Document): void {
  for (const box of page.querySelectorAll("aside.callout, .markdown-alert")) {
    const kind = KINDS.exec(box.className)?.[1] ?? "note";
    box.querySelector(".markdown-alert-title")?.remove();
    put(page, box, "div", "callout", { kind }).append(...box.childNodes);
  }
}

/** Formulas whose source is said beside them: ours, KaTeX's, Wikipedia's. */
function nameFormulas(page: Document): void {
  for (const math of page.querySelectorAll("math")) {
    const said = math.querySelector('annotation[encoding="application/x-tex"]')?.textContent;
    const latex = (said ?? math.getAttribute("alttext") ?? "").trim();
    if (latex === "") continue;
    const block = math.closest(".katex-display, .math-block") ?? (math.matches('[display="block"]') ? math : null);
    const shown = block ?? math.closest(".katex, .math-inline, .mwe-math-element") ?? math;
    const [tag, type] = block ? (["div", "block-math"] as const) : (["span", "inline-math"] as const);
    put(page, shown, tag, type, { latex: latex.replace(/^\{\\displaystyle\s*([\s\S]*)\}$/, "$1").trim() });
  }
}

function nameFootnotes(page: Document): void {
  for (const sign of page.querySelectorAll("sup.footnote-ref"))
    put(page, sign, "span", "footnoteReference", { label: sign.textContent.trim() });
  for (const note of page.querySelectorAll("div.footnote")) {
    const label = note.querySelector(".footnote-label");
    if (!label) continue;
    label.remove();
    put(page, note, "div", "footnoteDefinition", { label: label.textContent.trim() }).append(...note.childNodes);
  }
}

/** Word's title and quotes; lines with nothing in them keep others apart there. */
function nameWordStyles(page: Document): void {
  for (const line of page.querySelectorAll("p[class^=Mso]")) {
    const tag = /^MsoTitle/.test(line.className) ? "h1" : /Quote/.test(line.className) ? "blockquote" : undefined;
    if (line.textContent.trim() === "" && !line.querySelector("img")) line.remove();
    else if (tag) {
      const made = page.createElement(tag);
      made.append(...line.childNodes);
      line.replaceWith(made);
    }
  }
}

/** Says in the editor's words what other pages, ours that are read among them, show in theirs. */
export function nameKnownParts(page: Document): void {
  nameTasks(page);
  nameCallouts(page);
  nameFormulas(page);
  nameFootnotes(page);
  nameWordStyles(page);
  for (const link of page.querySelectorAll("a[href]")) {
    const own = ownAddress(link.getAttribute("href") ?? "");
    if (own) link.setAttribute("href", own.href);
  }
}
