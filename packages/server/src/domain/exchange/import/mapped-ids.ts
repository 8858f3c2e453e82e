import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { attachmentIdOf } from "@svc/document/markdown/attachment-url";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { mapShared, withParts } from "@svc/document/schema/node";
import type { Attrs, Mark, Node } from "@svc/document/types";
import { shownBy } from "../../content/attachments/references.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Derives a block's new id from its old one, so that links to it can be rewritten without a lookup table. */
export function mappedBlockId(seed: string, documentKey: string, oldId: string): string {
  // One character per byte: creating a string is faster than a buffer, and an import does this for every block.
  const bytes = hash("sha256", `${seed}\n${documentKey}\n${oldId}`, "binary");
  let text = defined(CROCKFORD[bytes.charCodeAt(31) & 7]);
  for (let i = 0; i < 25; i++) text += defined(CROCKFORD[bytes.charCodeAt(i) & 31]);
  return `block_${text}`;
}

export interface IdMap {
  readonly seed: string;
  readonly documentKey: string;
  readonly documentId: (key: string) => string | undefined;
  readonly attachmentId: (key: string) => string | undefined;
  readonly conceptId: (key: string) => string | undefined;
  /** Block ids that still need a new id; undefined means all. */
  readonly oldIds?: ReadonlySet<string> | undefined;
}

const uri = /^svc:\/\/doc\/(doc_[0-9A-Z]{26})(.*)$/s;
const conceptUri = /^svc:\/\/concept\/(concept_[0-9A-Z]{26})(.*)$/s;
const blockInUri = /block_[0-9A-HJKMNP-TV-Z]{26}/;

/** Prefix of a document's key in links that exist only during the import. */
const IMPORTED = "imported:";

/** Separates a document's key from a heading's slug. */
const SLUG = "\n";

/** A temporary link to a document of the archive or to a heading in it. */
export const importedHref = (key: string, slug?: string): string =>
  slug === undefined ? IMPORTED + key : IMPORTED + key + SLUG + slug;

/** Prefix of an archived file's path in links that exist only during the import. */
const IMPORTED_FILE = "imported-file:";

export const importedFileHref = (path: string): string => IMPORTED_FILE + path;
export const importedFileOf = (href: string): string | undefined =>
  href.startsWith(IMPORTED_FILE) ? href.slice(IMPORTED_FILE.length) : undefined;

/** A heading's temporary id, derived from its slug so that links to it can be written at once. */
export const headingBlockId = (documentKey: string, slug: string): string =>
  mappedBlockId("heading", documentKey, slug);

function mappedImported(href: string, map: IdMap): string {
  const [key = "", slug] = href.slice(IMPORTED.length).split(SLUG);
  const id = map.documentId(key);
  if (id === undefined) return href;
  const block = slug === undefined ? "" : `#block=${mappedBlockId(map.seed, key, headingBlockId(key, slug))}`;
  return `svc://doc/${id}${block}`;
}

export function mappedHref(href: string, map: IdMap): string {
  if (href.startsWith(IMPORTED)) return mappedImported(href, map);
  const path = importedFileOf(href);
  if (path !== undefined) return `/api/v1/attachments/${map.attachmentId(path)}`;
  const [, documentKey = "", rest = ""] = uri.exec(href) ?? [];
  const documentId = map.documentId(documentKey);
  if (documentId !== undefined)
    return `svc://doc/${documentId}${rest.replace(blockInUri, (id) => mappedBlockId(map.seed, documentKey, id))}`;
  const [, conceptKey = "", after = ""] = conceptUri.exec(href) ?? [];
  const conceptId = map.conceptId(conceptKey);
  if (conceptId !== undefined) return `svc://concept/${conceptId}${after}`;
  const file = attachmentIdOf(href);
  const attachmentId = file === null ? undefined : map.attachmentId(file);
  return attachmentId === undefined ? href : `/api/v1/attachments/${attachmentId}`;
}

function mappedMark(mark: Mark, map: IdMap): Mark {
  const href = mark.type === "link" ? mark.attrs?.href : undefined;
  if (typeof href !== "string") return mark;
  const next = mappedHref(href, map);
  return next === href ? mark : { ...mark, attrs: { ...mark.attrs, href: next } };
}

/** HTML that is kept verbatim, as a block or inline. */
export const isRawHtml = (type: string): boolean => type === "rawHtml" || type === "inlineRawHtml";

/** A node whose file is not in the archive keeps its text and loses the file. */
function mappedAttrs(node: Node, map: IdMap): Attrs | undefined {
  const { attrs } = node;
  if (!attrs) return attrs;
  const { id } = attrs;
  const isOld = typeof id === "string" && id.startsWith("block_") && (map.oldIds?.has(id) ?? true);
  const own: Attrs = isOld ? { id: mappedBlockId(map.seed, map.documentKey, id) } : {};
  if (isRawHtml(node.type) && typeof attrs.html === "string")
    return { ...attrs, ...own, html: replaceDestinations(attrs.html, (value) => mappedHref(value, map)) };
  const shown = shownBy(node);
  if (shown === undefined) return isOld ? { ...attrs, ...own } : attrs;
  const attachmentId = map.attachmentId(shown);
  const { attachmentId: _, src: __, ...rest } = attrs;
  return attachmentId === undefined
    ? { ...rest, ...own }
    : { ...rest, ...own, attachmentId, src: `/api/v1/attachments/${attachmentId}` };
}

/** Maps all ids in the blocks: their own, their link targets and their files. */
export const mapIds = (blocks: readonly Node[], map: IdMap): readonly Node[] =>
  mapShared(blocks, (node) => {
    const attrs = mappedAttrs(node, map);
    const marks = node.marks && mapShared(node.marks, (mark) => mappedMark(mark, map));
    const content = node.content && mapIds(node.content, map);
    return withParts(node, attrs, marks, content);
  });
