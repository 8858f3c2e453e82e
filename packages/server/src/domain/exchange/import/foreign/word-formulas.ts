import { type Element, findElement, readHtml, textOfElement } from "./html-tree.ts";

/** Delimiters of a formula while it passes through the Word reader as text: noncharacters, which no text contains. */
const [OPEN, CLOSE] = ["\uFDD0", "\uFDD1"];

/** Replaces formulas in the XML of a Word file, which the reader does not support, with marked runs of TeX. */
export function markFormulas(xml: string): string {
  if (!xml.includes("<m:oMath")) return xml;
  const blocks = replaceElements(xml, "m:oMathPara", (inner) => run("block", inner));
  return replaceElements(blocks, "m:oMath", (inner) => run("inline", inner));
}

/** Replaces the marked runs in the reader's HTML with formulas. */
export const showFormulas = (html: string): string =>
  html.replace(
    new RegExp(`${OPEN}(block|inline) ([^${OPEN}${CLOSE}]*)${CLOSE}`, "g"),
    (_all, kind: string, latex: string) =>
      `<span data-type="${kind}-math" data-latex="${latex.replaceAll('"', "&quot;")}"></span>`,
  );

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function run(kind: "block" | "inline", inner: string): string {
  // Expand empty elements, which would stay open in HTML.
  const latex = texOf(readHtml(inner.replace(/<(m:\w{1,32})([^<>]{0,500})\/>/g, "<$1$2></$1>"))).trim();
  if (latex === "") return "";
  const text = `${OPEN}${kind} ${latex}${CLOSE}`.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

/** Replaces every element of a name with the result for its content. Skips empty elements; nesting is not supported. */
export function replaceElements(xml: string, name: string, make: (inner: string) => string): string {
  let [result, done] = ["", 0];
  for (let at = xml.indexOf(`<${name}`); at >= 0; at = xml.indexOf(`<${name}`, done)) {
    const begin = xml.indexOf(">", at) + 1;
    const end = xml.indexOf(`</${name}>`, begin);
    if (begin === 0 || end < 0) break;
    const isElement = xml[begin - 2] !== "/" && /[\s>]/.test(xml[at + name.length + 1] ?? "");
    result += isElement ? xml.slice(done, at) + make(xml.slice(begin, end)) : xml.slice(done, begin);
    done = isElement ? end + name.length + 3 : begin;
  }
  return result + xml.slice(done);
}

const FUNCTIONS = new Set(
  "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lim max min exp det".split(" "),
);

const part = (element: Element, name: string): string => {
  const found = findElement(element, (inner) => inner.name === name);
  return found ? texOf(found) : "";
};

/** The character that a property names: empty if it names none, the default if the property is absent. */
const sign = (element: Element, name: string, usual: string): string =>
  findElement(element, (inner) => inner.name === name)?.attrs["m:val"] ?? usual;

const children = (element: Element, name: string): Element[] =>
  element.children.filter((child): child is Element => typeof child !== "string" && child.name === name);

const escaped = (text: string): string =>
  FUNCTIONS.has(text.trim())
    ? `\\${text.trim()} `
    : text.replace(/[\\#%&_{}$]/g, (character) => (character === "\\" ? "\\backslash " : `\\${character}`));

const fence = (text: string): string => (text === "" ? "." : text === "{" || text === "}" ? `\\${text}` : text);

/** Converts OMML elements to TeX; an unknown element yields its children in order. */
const READ: Readonly<Record<string, (element: Element) => string>> = {
  "m:t": (element) => escaped(textOfElement(element)),
  "m:ssup": (e) => `${part(e, "m:e")}^{${part(e, "m:sup")}}`,
  "m:ssub": (e) => `${part(e, "m:e")}_{${part(e, "m:sub")}}`,
  "m:ssubsup": (e) => `${part(e, "m:e")}_{${part(e, "m:sub")}}^{${part(e, "m:sup")}}`,
  "m:f": (e) => `\\frac{${part(e, "m:num")}}{${part(e, "m:den")}}`,
  "m:rad": (e) => {
    const degree = part(e, "m:deg");
    return `\\sqrt${degree === "" ? "" : `[${degree}]`}{${part(e, "m:e")}}`;
  },
  "m:d": (e) => {
    const inner = children(e, "m:e").map(texOf).join(",");
    return `\\left${fence(sign(e, "m:begchr", "("))} ${inner} \\right${fence(sign(e, "m:endchr", ")"))}`;
  },
  "m:nary": (e) => {
    const [below, above] = [part(e, "m:sub"), part(e, "m:sup")];
    const limits = (below && `_{${below}}`) + (above && `^{${above}}`);
    return `${sign(e, "m:chr", "∫")}${limits} ${children(e, "m:e").map(texOf).join("")}`;
  },
  "m:limlow": (e) => `${part(e, "m:e")}_{${part(e, "m:lim")}}`,
  "m:bar": (e) => `\\overline{${part(e, "m:e")}}`,
  "m:m": (e) => {
    const rows = children(e, "m:mr").map((row) => children(row, "m:e").map(texOf).join(" & "));
    return `\\begin{matrix}${rows.join(" \\\\ ")}\\end{matrix}`;
  },
};

function texOf(element: Element): string {
  return element.children
    .map((child) => (typeof child === "string" ? "" : (READ[child.name] ?? texOf)(child)))
    .join("");
}
