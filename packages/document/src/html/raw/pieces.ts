import { decodeHTML } from "entities";
import { defined } from "../../defined.ts";
import { isComment } from "../../markdown/comment-text.ts";

/** HTML cut into tags and what stands between them. Reads every character a bounded number of times. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "open";
      readonly name: string;
      readonly attrs: ReadonlyMap<string, string>;
      readonly void: boolean;
    }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "comment" };

const voids: ReadonlySet<string> = new Set(["area", "br", "col", "hr", "img", "input", "source", "wbr"]);
const openTag =
  /<([A-Za-z][A-Za-z0-9-]{0,63})((?:\s+[^\s"'<>/=]{1,64}(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*\/?>/y;
const closeTag = /<\/([A-Za-z][A-Za-z0-9-]{0,63})\s*>/y;
const attribute = /([^\s"'<>/=]{1,64})(?:\s*=\s*(?:([^\s"'=<>`]+)|'([^']*)'|"([^"]*)"))?/g;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

function attrsOf(source: string): ReadonlyMap<string, string> {
  const attrs = new Map<string, string>();
  for (const [, name, bare, single, double] of source.matchAll(attribute)) {
    const key = defined(name).toLowerCase();
    if (!attrs.has(key)) attrs.set(key, decodeEntities(bare ?? single ?? double ?? ""));
  }
  return attrs;
}

/** The pieces of an HTML text; undefined where a `<` begins none of them. */
export function readPieces(html: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf("<", at);
    const end = next < 0 ? html.length : next;
    if (end > at) pieces.push({ kind: "text", text: html.slice(at, end) });
    if (next < 0) break;
    const length = pushTag(pieces, html, next);
    if (length === 0) return undefined;
    at = next + length;
  }
  return pieces;
}

/** Adds the tag or comment at a position; how many characters it takes. */
function pushTag(pieces: Piece[], html: string, at: number): number {
  if (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 2);
    if (end < 0) return 0;
    pieces.push({ kind: "comment" });
    return end + 3 - at;
  }
  const close = matchAt(closeTag, html, at);
  if (close) {
    pieces.push({ kind: "close", name: defined(close[1]).toLowerCase() });
    return close[0].length;
  }
  const open = matchAt(openTag, html, at);
  if (!open) return 0;
  const name = defined(open[1]).toLowerCase();
  pieces.push({ kind: "open", name, attrs: attrsOf(defined(open[2])), void: voids.has(name) });
  return open[0].length;
}

/** Text with its character references decoded. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/g, (reference) =>
        decodeHTML(reference),
      )
    : text;

/** The words of an HTML text, for the search. */
export function textOfHtml(html: string): string {
  if (isComment(html)) return "";
  const pieces = readPieces(html);
  if (!pieces)
    return html
      .replace(/<[^<>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  const text = pieces.map((piece) => (piece.kind === "text" ? decodeEntities(piece.text) : " ")).join("");
  return text.replace(/\s+/g, " ").trim();
}
