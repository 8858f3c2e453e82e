import { defined } from "../defined.ts";
import type { Attrs, Json, Node } from "../types.ts";

/** `<img>` says what `![]()` cannot: the size of a picture. */

const tag = /^<img((?:\s+[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*\/?>$/i;
const attribute = /([a-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const names: ReadonlySet<string> = new Set(["src", "alt", "title", "width", "height"]);
const plainNumber = /^\d{1,6}(?:\.\d{1,6})?$/;
const measure = /^\d{1,6}(?:\.\d{1,6})?(?:px|%|em|rem|vw|vh)$/;

const entities: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">", apos: "'", nbsp: "\u00a0" };
const decode = (value: string): string =>
  value.replace(/&(?:#(\d{1,6})|(amp|quot|lt|gt|apos|nbsp));/g, (_, code?: string, name?: string) =>
    name ? entities[name]! : String.fromCodePoint(Number(code)),
  );
const encode = (value: string): string =>
  value
    .replaceAll("\0", "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replace(/[<>\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The attributes of an `<img>` tag that has no others than a picture's; null for any other HTML. */
export function readImgTag(html: string): Attrs | null {
  const match = tag.exec(html);
  if (!match) return null;
  const found: Record<string, Json> = {};
  for (const [, rawName, double, single] of defined(match[1]).matchAll(attribute)) {
    const name = defined(rawName).toLowerCase();
    if (!names.has(name) || name in found) return null;
    const value = decode(double ?? single ?? "");
    const length = value.trim().replace(/;$/, "");
    const size = plainNumber.test(length) ? Number(length) : length;
    if (name !== "width" && name !== "height") found[name] = value;
    else if (isSize(size)) found[name] = size;
  }
  return "src" in found ? found : null;
}

/** Whether Markdown can carry a width or height. */
export const isSize = (value: Json | undefined): value is number | string =>
  typeof value === "number" ? plainNumber.test(String(value)) : typeof value === "string" && measure.test(value);

/** Attributes of a picture that are written; a size only if it is one. */
export const pictureNames = (node: Node): readonly string[] => [
  ...["src", "alt", "title", "attachmentId", "wiki"],
  ...["width", "height"].filter((name) => isSize(node.attrs?.[name])),
];

/** The tag of a picture that has a size. */
export function writeImgTag(node: Node, src: string): string {
  const { alt, title, width, height } = node.attrs ?? {};
  const parts = [`src="${encode(src)}"`];
  if (typeof alt === "string" && alt !== "") parts.push(`alt="${encode(alt)}"`);
  if (typeof title === "string" && title !== "") parts.push(`title="${encode(title)}"`);
  if (isSize(width)) parts.push(`width="${width}"`);
  if (isSize(height)) parts.push(`height="${height}"`);
  return `<img ${parts.join(" ")}>`;
}
