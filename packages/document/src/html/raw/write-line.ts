import type { Mark, Node } from "../../types.ts";

/** Writes a line as HTML that parses to the same line; undefined if the supported HTML cannot represent it. */

const tags: Readonly<Record<string, string>> = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
  code: "code",
  subscript: "sub",
  superscript: "sup",
  highlight: "mark",
  kbd: "kbd",
};

const encode = (text: string): string =>
  text.replace(/[&<>"\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/ (?= )/g, "&#32;");

function wrap(html: string, mark: Mark): string | undefined {
  const attrs = Object.entries(mark.attrs ?? {}).filter(([, value]) => value !== null);
  if (mark.type === "link") {
    if (attrs.some(([name, value]) => !["href", "title"].includes(name) || typeof value !== "string")) return undefined;
    return `<a${attrs.map(([name, value]) => ` ${name}="${encode(String(value))}"`).join("")}>${html}</a>`;
  }
  const tag = tags[mark.type];
  return tag === undefined || attrs.length > 0 ? undefined : `<${tag}>${html}</${tag}>`;
}

/** Escapes spaces at the start or end of the line, or after another space: parsing would drop them. */
function writeText(text: string, before: Node | undefined, isLast: boolean): string {
  const isFirst = before === undefined || before.type === "hardBreak" || before.text?.endsWith(" ");
  const begun = isFirst ? encode(text).replace(/^ /, "&#32;") : encode(text);
  return isLast ? begun.replace(/ $/, "&#32;") : begun;
}

function writeNode(node: Node, before: Node | undefined, isLast: boolean): string | undefined {
  if (node.type === "text") return writeText(node.text ?? "", before, isLast);
  if (node.type === "hardBreak") return "<br>";
  if (node.type !== "inlineImage") return undefined;
  const { src, alt, title, width, height } = node.attrs ?? {};
  if (typeof src !== "string" || src === "") return undefined;
  const said = { src, alt, title, width, height };
  const attrs = Object.entries(said).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return `<img${attrs.map(([name, value]) => ` ${name}="${encode(String(value))}"`).join("")}>`;
}

export function writeHtmlLine(content: readonly Node[]): string | undefined {
  let html = "";
  for (const [i, node] of content.entries()) {
    let part = writeNode(node, content[i - 1], i === content.length - 1);
    for (const mark of (node.marks ?? []).toReversed()) part = part === undefined ? undefined : wrap(part, mark);
    if (part === undefined) return undefined;
    html += part;
  }
  return html;
}
