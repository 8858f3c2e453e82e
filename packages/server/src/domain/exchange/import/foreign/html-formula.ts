import { type Element, findElement, hasClass, textOfElement } from "./html-tree.ts";

interface Formula {
  readonly latex: string;
  readonly isBlock: boolean;
}

/** The TeX formula of an element, as written by editors, Pandoc, KaTeX or MathML. */
export function formulaOf(element: Element): Formula | undefined {
  const { name, attrs } = element;
  if (name === "math") return mathml(element);
  if (name !== "span" && name !== "div") return undefined;
  const type = (attrs["data-type"] ?? "").replace("-", "").toLowerCase();
  if (attrs["data-latex"] !== undefined && (type === "inlinemath" || type === "blockmath"))
    return { latex: attrs["data-latex"], isBlock: type === "blockmath" };
  if (hasClass(element, "math")) return delimited(textOfElement(element), hasClass(element, "display"));
  const isKatex = hasClass(element, "katex") || hasClass(element, "katex-display");
  const math = isKatex ? findElement(element, (inner) => inner.name === "math") : undefined;
  const found = math && mathml(math);
  return found && { ...found, isBlock: found.isBlock || hasClass(element, "katex-display") };
}

function mathml(math: Element): Formula | undefined {
  const annotation = findElement(math, ({ attrs }) => attrs.encoding === "application/x-tex");
  const latex = (annotation ? textOfElement(annotation) : (math.attrs.alttext ?? "")).trim();
  return latex === "" ? undefined : { latex, isBlock: math.attrs.display === "block" };
}

const DELIMITERS = [
  ["\\(", "\\)"],
  ["\\[", "\\]"],
  ["$$", "$$"],
  ["$", "$"],
] as const;

function delimited(text: string, isBlock: boolean): Formula | undefined {
  const bare = text.trim();
  const [open, close] = DELIMITERS.find(([left, right]) => bare.startsWith(left) && bare.endsWith(right)) ?? ["", ""];
  const latex = bare.slice(open.length, bare.length - close.length).trim();
  return latex === "" ? undefined : { latex, isBlock };
}
