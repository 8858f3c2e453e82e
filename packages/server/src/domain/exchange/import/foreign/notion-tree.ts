import { type Child, type Element, findElement, hasClass, isElement, textOfElement } from "./html-tree.ts";

/**
 * Converts Notion's own HTML for lists, checkboxes, callouts, toggles, images, bookmarks and line breaks to standard
 * elements. Visits every element once.
 */
export const plainTree = (element: Element): Element => ({ ...element, children: childrenOf(element) });

const make = (name: string, attrs: Element["attrs"], children: Child[]): Element => ({ name, attrs, children });

const childrenOf = (element: Element): Child[] =>
  joinedLists(
    element.children.flatMap((child, at) =>
      typeof child === "string" ? lines(child, element, at) : readElement(child, element),
    ),
  );

/** Whether an element is decoration, a duplicate, or content generated from the headings. */
const isLeftOut = (element: Element): boolean =>
  hasClass(element, "property-icon") || hasClass(element, "status-dot") || hasClass(element, "table_of_contents");

function readElement(element: Element, parent: Element): Child[] {
  const { name, attrs } = element;
  if (isLeftOut(element)) return [];
  if (name === "pre") return [readCode(element)];
  if (/display:\s*contents/.test(attrs.style ?? "")) return childrenOf(element);
  if (name === "ul" && hasClass(element, "toggle")) return element.children.filter(isElement).flatMap(childrenOf);
  if (hasClass(element, "callout")) return [readCallout(element)];
  if (name === "a" && hasClass(element, "bookmark")) return readBookmark(element);
  if (name === "a" && parent.name === "figure") return readFigureLink(element);
  if (name === "img") return [{ ...element, attrs: { ...widthOf(element), ...attrs } }];
  if (name === "div" && hasClass(element, "checkbox")) return [readBox(element, parent)];
  if (name === "time") return [make("span", {}, childrenOf(element).map(withoutAt))];
  const plain = plainTree(element);
  if (name === "span" && /border-bottom:/.test(attrs.style ?? "")) return [{ ...plain, name: "u" }];
  if (name === "mark") return [readMark(plain)];
  return name === "td" || name === "th" ? [{ ...plain, children: plain.children.flatMap(listed) }] : [plain];
}

/** Elements with inline text, in which a line break is intended. */
const LINE = new Set("p h1 h2 h3 h4 h5 h6 summary td th li blockquote a span strong em u s del code mark".split(" "));

/** Splits a text into lines; lines of a reformatted file begin with space. */
function lines(text: string, { name, children }: Element, at: number): Child[] {
  if (!LINE.has(name) || !text.includes("\n")) return [text];
  const begin = at === 0 ? text.replace(/^\n+/, "") : text;
  const whole = at === children.length - 1 ? begin.trimEnd() : begin;
  return whole.split(/\n(?![ \t])/).flatMap((line, n): Child[] => (n === 0 ? [line] : [make("br", {}, []), line]));
}

const withoutAt = (child: Child, at: number): Child =>
  typeof child === "string" && at === 0 ? child.replace(/^@/, "") : child;

/** Separates values that follow each other in a cell. */
const listed = (child: Child, at: number, all: readonly Child[]): Child[] =>
  isElement(child) && isElement(all[at - 1]) && /^(?:a|span)$/.test(child.name) ? [", ", child] : [child];

const SYNTAX: Readonly<Record<string, string>> = { "plain text": "", "c++": "cpp", "c#": "csharp", "f#": "fsharp" };

function readCode(element: Element): Element {
  const code = findElement(element, ({ name }) => name === "code") ?? element;
  const said = (/^language-(.*)$/.exec(code.attrs.class ?? "")?.[1] ?? "").toLowerCase();
  const language = SYNTAX[said] ?? said.replaceAll(" ", "-");
  return make("pre", {}, [make("code", language === "" ? {} : { class: `language-${language}` }, code.children)]);
}

/** The kind of a callout by its icon. Some icons have two forms, with and without the variation selector for colour. */
const KINDS: Readonly<Record<string, string>> = {
  "💡": "tip",
  "✅": "tip",
  "⚠": "warning",
  "🚧": "warning",
  "❗": "important",
  "‼": "important",
  "📌": "important",
  "⛔": "caution",
  "🚫": "caution",
  "🔥": "caution",
  "🛑": "caution",
  ℹ: "note",
  "📝": "note",
};

/** An icon that maps to no kind stays in front of the text. */
function readCallout(element: Element): Element {
  const icon = findElement(element, (inner) => hasClass(inner, "icon"));
  const [first] = element.children.filter(isElement);
  const isIcon = first !== undefined && icon !== undefined && findElement(first, (inner) => inner === icon) === icon;
  const sign = icon ? (icon.attrs["data-emoji"] ?? textOfElement(icon)).trim() : "";
  const kind = KINDS[sign.replace(/\ufe0f$/u, "")];
  const rest = isIcon ? { ...element, children: element.children.filter((child) => child !== first) } : element;
  const children = childrenOf(rest);
  const said = kind === undefined && isIcon && sign !== "" ? [`${sign} `, ...unwrapped(children)] : children;
  return make("div", { class: `callout callout-${kind ?? "note"}` }, said);
}

/** Unwraps the single element around a callout's text. */
function unwrapped(children: readonly Child[]): readonly Child[] {
  const [only, ...more] = children.filter((child) => isElement(child) || child.trim() !== "");
  return isElement(only) && only.name === "div" && more.length === 0 ? only.children : children;
}

/** The title becomes a link to the page; the description follows. */
function readBookmark(element: Element): Child[] {
  const { href = "" } = element.attrs;
  const textAt = (name: string): string => {
    const found = findElement(element, (inner) => hasClass(inner, name));
    return found ? textOfElement(found).trim() : "";
  };
  const said = textAt("bookmark-description");
  const link = make("a", { href }, [textAt("bookmark-title") || href]);
  return [make("p", {}, [link]), ...(said === "" ? [] : [make("p", {}, [said])])];
}

/** An image that links to itself is a plain image. */
function readFigureLink(element: Element): Child[] {
  const [only, ...more] = element.children;
  const isPicture =
    isElement(only) && only.name === "img" && more.length === 0 && only.attrs.src === element.attrs.href;
  return isPicture ? childrenOf(element) : [make("p", {}, [plainTree(element)])];
}

function widthOf({ attrs }: Element): { readonly width?: string } {
  const width = /(?:^|;)\s*width:\s*(\d{1,5})(?:\.\d+)?px/.exec(attrs.style ?? "")?.[1];
  return width === undefined ? {} : { width };
}

/** The checkbox of a task; in a cell, the word that Notion uses in its own tables. */
function readBox(element: Element, parent: Element): Child {
  const isChecked = hasClass(element, "checkbox-on");
  if (parent.name !== "li") return isChecked ? "Yes" : "No";
  return make("input", { type: "checkbox", ...(isChecked && { checked: "" }) }, []);
}

const COLOURS: Readonly<Record<string, string>> = {
  gray: "#787774",
  brown: "#9f6b53",
  orange: "#d9730d",
  yellow: "#cb912f",
  teal: "#448361",
  green: "#448361",
  blue: "#337ea9",
  purple: "#9065b0",
  pink: "#c14c8a",
  red: "#d44c47",
};

/** Notion uses the same element for coloured text and for highlighted text. */
function readMark({ attrs, children }: Element): Element {
  const said = /\bhighlight-(\w+)/.exec(attrs.class ?? "")?.[1];
  if (said === undefined || said.endsWith("_background")) return make("mark", {}, children);
  const colour = COLOURS[said];
  return make("span", colour === undefined ? {} : { "data-color": colour }, children);
}

/** Notion writes every item as a separate list; joins adjacent ones, numbered lists only while the numbers continue. */
function joinedLists(children: readonly Child[]): Child[] {
  const joined: Child[] = [];
  let last: Child | undefined;
  let next = 1;
  for (const child of children) {
    const start = isElement(child) ? Number(child.attrs.start ?? 1) : 1;
    if (isElement(last) && isElement(child) && isAlike(last, child) && (child.name === "ul" || start === next)) {
      for (const item of child.children) last.children.push(item);
      next += itemsOf(child);
      continue;
    }
    const added = isList(child) ? { ...child, children: [...child.children] } : child;
    joined.push(added);
    if (!isElement(added) && added.trim() === "") continue;
    last = added;
    if (isElement(added)) next = start + itemsOf(added);
  }
  return joined;
}

const isList = (child: Child): child is Element => isElement(child) && (child.name === "ul" || child.name === "ol");
const isAlike = (list: Element, other: Element): boolean =>
  isList(list) && list.name === other.name && list.attrs.class === other.attrs.class;
const itemsOf = ({ children }: Element): number => children.filter(isElement).length;
