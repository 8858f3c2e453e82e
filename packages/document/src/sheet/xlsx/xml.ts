/** A tag, or the text between two. */
type Piece =
  | { readonly kind: "open" | "empty"; readonly name: string; readonly attrs: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** The file is no XML that a spreadsheet program writes. */
export class BadXml extends Error {}

/** A name, an equals sign or a quoted value. Whatever does not match is skipped once, so reading takes linear time. */
const ATTRIBUTE_PART = /([\w:.-]+)|=|"([^"]*)"|'([^']*)'/g;

/**
 * The pieces of an XML text, one after the other. A document type, and with it every entity but the five that XML knows
 * by itself, is refused: nothing expands.
 */
export function* readXml(text: string): Generator<Piece> {
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf("<", at);
    if (start < 0) return;
    if (start > at) yield { kind: "text", text: unescapeXml(text.slice(at, start)) };
    if (text.startsWith("<!--", start)) at = after(text, "-->", start);
    else if (text.startsWith("<![CDATA[", start)) {
      const end = after(text, "]]>", start);
      yield { kind: "text", text: text.slice(start + 9, end - 3) };
      at = end;
    } else if (text.startsWith("<?", start)) at = after(text, "?>", start);
    else if (text.startsWith("<!", start)) throw new BadXml("a document type is not taken");
    else {
      const end = after(text, ">", start);
      yield tag(text.slice(start + 1, end - 1));
      at = end;
    }
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new BadXml("a tag does not end");
  return at + mark.length;
}

function tag(inner: string): Piece {
  if (inner.startsWith("/")) return { kind: "close", name: localName(inner.slice(1).trim()) };
  const isEmpty = inner.endsWith("/");
  const space = inner.search(/[\s/]/);
  const name = localName(space < 0 ? inner : inner.slice(0, space));
  return { kind: isEmpty ? "empty" : "open", name, attrs: attributes(space < 0 ? "" : inner.slice(space)) };
}

function attributes(text: string): ReadonlyMap<string, string> {
  const attrs = new Map<string, string>();
  let [key, hasValue] = ["", false];
  for (const [part, name, double, single] of text.matchAll(ATTRIBUTE_PART)) {
    if (part === "=") {
      hasValue = true;
      continue;
    }
    const value = double ?? single;
    if (value !== undefined && hasValue && key !== "") attrs.set(localName(key), unescapeXml(value));
    [key, hasValue] = [name ?? "", false];
  }
  return attrs;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (_, hex, decimal, name) => {
    if (name !== undefined) {
      const known = entities[String(name)];
      if (known === undefined) throw new BadXml(`the entity ${String(name).slice(0, 20)} is not known`);
      return known;
    }
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** Characters that XML cannot hold go; spreadsheets have no use for them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are not allowed in XML
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
