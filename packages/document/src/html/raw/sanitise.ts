import { defined } from "../../defined.ts";
import { isComment } from "../../markdown/comment-text.ts";
import { attribute, escapeHtml } from "../escape.ts";
import { isSafeImage, isSafeLink } from "../url.ts";
import { decodeEntities, type Piece, readPieces } from "./pieces.ts";

const isLength = /^\d{1,5}(?:\.\d{1,3})?(?:px|%)?$/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const inlineTags =
  "a abbr b bdi bdo big br cite code del dfn em font i img ins kbd mark picture q rp rt ruby s samp small source span strike strong sub sup time tt u var wbr";
const blockTags =
  "address article aside blockquote caption center col colgroup dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul";
const allowedInline = words(inlineTags);
const allowed = words(`${inlineTags} ${blockTags}`);

/** Addresses, which decide whether a tag may go out at all. */
const addresses: Readonly<Record<string, (value: string) => boolean>> = { href: isSafeLink, src: isSafeImage };

/** Other attributes that may go out, each with what its value must be. All others are left out. */
const attributes: Readonly<Record<string, (value: string) => boolean>> = {
  alt: () => true,
  title: () => true,
  align: (value) => /^(?:left|right|center|justify)$/i.test(value),
  width: (value) => isLength.test(value),
  height: (value) => isLength.test(value),
  colspan: (value) => /^\d{1,3}$/.test(value),
  rowspan: (value) => /^\d{1,3}$/.test(value),
  start: (value) => /^\d{1,9}$/.test(value),
  dir: (value) => /^(?:ltr|rtl|auto)$/i.test(value),
};
type Open = Extract<Piece, { kind: "open" }>;

/**
 * A tag with the attributes that may go out; undefined where it may not go out at all. The pictures of `<source>` give
 * way to the `<img>` beside them.
 */
function safeTag(tag: Open, tags: ReadonlySet<string>): string | undefined {
  if (!tags.has(tag.name)) return undefined;
  if (tag.name === "source") return "";
  let text = `<${tag.name}`;
  for (const [name, given] of tag.attrs) {
    if (/^on/.test(name)) return undefined;
    if (Object.hasOwn(addresses, name) && !addresses[name]?.(given)) return undefined;
    const value = given.trim().replace(/;$/, "");
    if (Object.hasOwn(addresses, name)) text += attribute(name, given);
    else if (Object.hasOwn(attributes, name) && attributes[name]?.(value))
      text += attribute(name, isLength.test(value) ? value : given);
  }
  if (tag.name === "a") text += ' rel="noopener noreferrer"';
  return `${text}>`;
}

/**
 * HTML that a page may show, made again from what was read; undefined where any of it may not be shown. Tags without a
 * partner show nothing by themselves, so that what stands between two of them in the document is not swallowed.
 */
export function sanitiseHtml(html: string): string | undefined {
  if (isComment(html)) return "";
  const pieces = readPieces(html);
  if (!pieces) return undefined;
  const partners = pairTags(pieces);
  let out = "";
  for (let i = 0; i < pieces.length; i++) {
    const piece = defined(pieces[i]);
    if (piece.kind === "comment") continue;
    if (piece.kind === "text") out += escapeHtml(decodeEntities(piece.text));
    else if (piece.kind === "close") {
      if (!allowed.has(piece.name)) return undefined;
      if (piece.name === "br") out += "<br>";
      if (partners.has(i)) out += `</${piece.name}>`;
    } else {
      const tag = safeTag(piece, allowed);
      if (tag === undefined) return undefined;
      if (piece.void || partners.has(i)) out += tag;
    }
  }
  return out;
}

/** Positions of tags whose partner stands where it should. */
function pairTags(pieces: readonly Piece[]): ReadonlySet<number> {
  const paired = new Set<number>();
  const open: { readonly name: string; readonly at: number }[] = [];
  const count = new Map<string, number>();
  const pop = () => {
    const top = defined(open.pop());
    count.set(top.name, defined(count.get(top.name)) - 1);
    return top;
  };
  pieces.forEach((piece, at) => {
    if (piece.kind === "open" && !piece.void) {
      open.push({ name: piece.name, at });
      count.set(piece.name, (count.get(piece.name) ?? 0) + 1);
    } else if (piece.kind === "close" && (count.get(piece.name) ?? 0) > 0) {
      let top = pop();
      while (top.name !== piece.name) top = pop();
      paired.add(top.at).add(at);
    }
  });
  return paired;
}

/** One tag of a line: what it says, and how it goes out; undefined where it may not. */
export function inlineTag(html: string): { readonly piece: Piece; readonly out: string } | undefined {
  if (isComment(html)) return { piece: { kind: "comment" }, out: "" };
  const [piece, ...more] = readPieces(html) ?? [];
  if (!piece || more.length > 0 || piece.kind === "text") return undefined;
  if (piece.kind === "comment") return { piece, out: "" };
  if (piece.kind === "close") return allowedInline.has(piece.name) ? { piece, out: `</${piece.name}>` } : undefined;
  const out = safeTag(piece, allowedInline);
  return out === undefined ? undefined : { piece, out };
}
