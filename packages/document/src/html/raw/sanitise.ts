import { defined } from "../../defined.ts";
import { attribute, escapeHtml } from "../escape.ts";
import { isSafeImage, isSafeLink } from "../url.ts";
import { decodeEntities, type Piece, readPieces } from "./pieces.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const inlineTags =
  "a abbr b bdi bdo big br cite code del dfn em font i img ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr";
const blockTags =
  "address article aside blockquote caption center col colgroup dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p picture pre section table tbody td tfoot th thead tr ul";
const allowedInline = words(inlineTags);
const allowed = words(`${inlineTags} ${blockTags}`);

/** Attributes that may go out, each with what its value must be. Others that cannot do harm are left out in silence. */
const attributes: Readonly<Record<string, (value: string) => boolean>> = {
  href: isSafeLink,
  src: isSafeImage,
  alt: () => true,
  title: () => true,
  align: (value) => /^(?:left|right|center|justify)$/i.test(value),
  width: (value) => /^\d{1,5}(?:px|%)?$/.test(value),
  height: (value) => /^\d{1,5}(?:px|%)?$/.test(value),
  colspan: (value) => /^\d{1,3}$/.test(value),
  rowspan: (value) => /^\d{1,3}$/.test(value),
  start: (value) => /^\d{1,9}$/.test(value),
  dir: (value) => /^(?:ltr|rtl|auto)$/i.test(value),
};
const harmless = words(
  "id name class target rel style border cellpadding cellspacing valign bgcolor color size face lang role loading decoding srcset media referrerpolicy nowrap clear hspace vspace",
);

type Open = Extract<Piece, { kind: "open" }>;

/** A tag with the attributes that may go out; undefined where it may not go out at all. */
function safeTag(tag: Open, tags: ReadonlySet<string>): string | undefined {
  if (!tags.has(tag.name)) return undefined;
  let text = `<${tag.name}`;
  for (const [name, value] of tag.attrs) {
    if (harmless.has(name) || /^(?:data|aria)-[a-z0-9-]{1,40}$/.test(name)) continue;
    const check = Object.hasOwn(attributes, name) ? defined(attributes[name]) : undefined;
    if (!check?.(value)) return undefined;
    text += attribute(name, value);
  }
  if (tag.name === "a") text += ' rel="noopener noreferrer"';
  return `${text}>`;
}

/**
 * HTML that a page may show, made again from what was read; undefined where any of it may not be shown. Tags without a
 * partner show nothing by themselves, so that what stands between two of them in the document is not swallowed.
 */
export function sanitiseHtml(html: string): string | undefined {
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
  const [piece, ...more] = readPieces(html) ?? [];
  if (!piece || more.length > 0 || piece.kind === "text") return undefined;
  if (piece.kind === "comment") return { piece, out: "" };
  if (piece.kind === "close") return allowedInline.has(piece.name) ? { piece, out: `</${piece.name}>` } : undefined;
  const out = safeTag(piece, allowedInline);
  return out === undefined ? undefined : { piece, out };
}
