import { decodeHTML } from "entities";

export type Child = Element | string;

/** A tree of another program's HTML. Any input can be parsed: unclosed tags are closed, malformed ones become text. */
export interface Element {
  readonly name: string;
  readonly attrs: Readonly<Record<string, string>>;
  readonly children: Child[];
}

/** Deeper elements are attached to the last element within the limit. */
const MAX_DEPTH = 100;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const VOID = words("area base br col embed hr img input link meta param source track wbr");
/** Elements whose content is text up to the closing tag. */
const RAW = words("script style textarea title xmp iframe noembed noframes");
const BLOCK = words(
  "address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul",
);

/** For each opening tag: the open elements that it closes, and the ancestor that bounds the search. */
const ENDS: Readonly<Record<string, { readonly ends: ReadonlySet<string>; readonly within: ReadonlySet<string> }>> = {
  li: { ends: words("li"), within: words("ul ol menu") },
  dt: { ends: words("dt dd"), within: words("dl") },
  dd: { ends: words("dt dd"), within: words("dl") },
  tr: { ends: words("tr"), within: words("table") },
  td: { ends: words("td th"), within: words("tr") },
  th: { ends: words("td th"), within: words("tr") },
  tbody: { ends: words("thead tbody tfoot"), within: words("table") },
  tfoot: { ends: words("thead tbody tfoot"), within: words("table") },
};
const PARAGRAPH = { ends: words("p"), within: words("li td th blockquote div section article details") };

const OPEN =
  /<([A-Za-z][\w:-]{0,63})((?:[\s/]+[^\s"'<>/=]{1,128}(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)[\s/]*>/y;
const CLOSE = /<\/([A-Za-z][\w:-]{0,63})[^<>]*>/y;
const ATTRIBUTE = /([^\s"'<>/=]{1,128})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

export function readHtml(html: string): Element {
  const tree = new Tree();
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf("<", at);
    if (next !== at) tree.text(decodeHTML(html.slice(at, next < 0 ? html.length : next)));
    if (next < 0) break;
    at = readTag(html, next, tree);
  }
  return tree.root;
}

/** Parses the markup at a `<`; returns the offset of its end. */
function readTag(html: string, at: number, tree: Tree): number {
  if (html.startsWith("<!--", at)) return after(html, "-->", at);
  if (html.startsWith("<![CDATA[", at)) {
    const end = after(html, "]]>", at);
    tree.text(html.slice(at + 9, Math.max(at + 9, end - 3)));
    return end;
  }
  if (html.startsWith("<!", at) || html.startsWith("<?", at)) return after(html, ">", at);
  const close = matchAt(CLOSE, html, at);
  if (close?.[1] !== undefined) {
    tree.close(close[1].toLowerCase());
    return at + close[0].length;
  }
  const open = matchAt(OPEN, html, at);
  if (open?.[1] === undefined) {
    tree.text("<");
    return at + 1;
  }
  const name = open[1].toLowerCase();
  tree.open(name, attrsOf(open[2] ?? ""));
  const end = at + open[0].length;
  return RAW.has(name) ? readRaw(html, end, name, tree) : end;
}

/** Offset after the next occurrence of an ending, or the end of the text. */
function after(html: string, ending: string, at: number): number {
  const found = html.indexOf(ending, at);
  return found < 0 ? html.length : found + ending.length;
}

function readRaw(html: string, at: number, name: string, tree: Tree): number {
  const closing = new RegExp(`</${name}\\b`, "gi");
  closing.lastIndex = at;
  const end = closing.exec(html)?.index ?? html.length;
  tree.text(name === "title" || name === "textarea" ? decodeHTML(html.slice(at, end)) : html.slice(at, end));
  return end;
}

function attrsOf(source: string): Readonly<Record<string, string>> {
  const attrs = new Map<string, string>();
  for (const [, name = "", double, single, bare] of source.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attrs.has(key)) attrs.set(key, decodeHTML(double ?? single ?? bare ?? ""));
  }
  return Object.fromEntries(attrs);
}

class Tree {
  readonly root: Element = { name: "", attrs: {}, children: [] };
  readonly #open: Element[] = [this.root];
  /** Number of open elements beyond the maximum depth. */
  #beyond = 0;

  get #top(): Element {
    return this.#open.at(-1) ?? this.root;
  }

  text(text: string): void {
    this.#top.children.push(text);
  }

  open(name: string, attrs: Readonly<Record<string, string>>): void {
    if (this.#beyond === 0) this.#end(name);
    const element = { name, attrs, children: [] };
    if (VOID.has(name)) this.#top.children.push(element);
    else if (this.#beyond > 0 || this.#open.length > MAX_DEPTH) this.#beyond++;
    else {
      this.#top.children.push(element);
      this.#open.push(element);
    }
  }

  close(name: string): void {
    if (VOID.has(name)) return;
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const index = this.#open.findLastIndex((element) => element.name === name);
    if (index > 0) this.#open.length = index;
  }

  /** Closes the elements that an opening tag closes implicitly. */
  #end(name: string): void {
    const rule = ENDS[name] ?? (BLOCK.has(name) ? PARAGRAPH : undefined);
    if (!rule) return;
    for (let at = this.#open.length - 1; at > 0; at--) {
      const open = this.#open[at]?.name ?? "";
      if (rule.ends.has(open)) this.#open.length = at;
      else if (rule.within.has(open)) return;
    }
  }
}

/** The first matching descendant in source order. */
export function findElement(root: Element, fits: (element: Element) => boolean): Element | undefined {
  for (const child of root.children) {
    if (typeof child === "string") continue;
    const found = fits(child) ? child : findElement(child, fits);
    if (found) return found;
  }
  return undefined;
}

export const isElement = (child: Child | undefined): child is Element =>
  child !== undefined && typeof child !== "string";

export const textOfElement = (element: Element): string =>
  element.children.map((child) => (typeof child === "string" ? child : textOfElement(child))).join("");

export const hasClass = ({ attrs }: Element, name: string): boolean => (attrs.class ?? "").split(/\s+/).includes(name);
