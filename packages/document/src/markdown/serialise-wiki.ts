import { defined } from "../defined.ts";
import type { Attrs, Json, Mark, Node } from "../types.ts";
import { attachmentUrl } from "./attachment-url.ts";
import { escapeText, linkDestination, linkTitle } from "./escape.ts";
import { isSize, writeImgTag } from "./img-tag.ts";
import type { InlineRun } from "./inline-runs.ts";
import { isWikiName, isWikiPicture, isWikiSize, WIKI, wikiPage } from "./rules/wiki-link.ts";

/** Links that are written in one piece, and pictures. */

const str = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** A link that one run of text is written as, with the other marks of the run, which surround it. */
export interface WholeLink {
  readonly text: string;
  readonly marks: InlineRun["marks"];
}

/** The link of a run of text without a title, and its other marks. */
export function wholeLink({
  text,
  code,
  marks,
}: InlineRun): { readonly mark: Mark; readonly until: number; readonly others: InlineRun["marks"] } | null {
  if (text === undefined || code || marks.size === 0) return null;
  for (const [key, { mark, until }] of marks) {
    if (mark.type !== "link") continue;
    if (str(mark.attrs?.title)) return null;
    return {
      mark,
      until,
      others: marks.size === 1 ? new Map() : new Map([...marks].filter(([other]) => other !== key)),
    };
  }
  return null;
}

/** The name in double brackets that a link or picture was written with, also when its address was resolved since. */
function wikiTarget(attrs: Attrs | undefined, address: Json | undefined): string | null {
  const said =
    attrs?.wiki ?? (typeof address === "string" && address.startsWith(WIKI) ? address.slice(WIKI.length) : null);
  return typeof said === "string" && isWikiName(said) ? said : null;
}

/**
 * A link to a page by its name: `[[Page]]` or `[[Page|text]]`. A link whose text has several styles becomes several
 * links beside each other, which read as the same link again. Null for what double brackets cannot hold.
 */
export function wikiLink(run: InlineRun): WholeLink | null {
  const link = wholeLink(run);
  const target = link && wikiTarget(link.mark.attrs, link.mark.attrs?.href);
  const text = run.text ?? "";
  if (!target || (text !== target && !isWikiName(text))) return null;
  const embed = link.mark.attrs?.embed === true ? "!" : "";
  return { text: `${embed}[[${target}${text === target ? "" : `|${text}`}]]`, marks: link.others };
}

/** `![alt](src "title")` of an image or inlineImage, `![[picture.png]]`, or `<img>` where it has a size. */
export function writeImage(node: Node): string {
  const { src, alt, title, attachmentId } = node.attrs ?? {};
  const said = typeof src === "string" ? src : typeof attachmentId === "string" ? attachmentUrl(attachmentId) : "";
  const named = wikiPicture(node);
  if (named !== null) return named;
  const url = plainAddress(said);
  if (isSize(node.attrs?.width) || isSize(node.attrs?.height)) return writeImgTag(node, url);
  const place = { lineStart: false, first: true, inLink: true, dollars: true, oneLine: true };
  const titlePart = str(title) ? ` ${linkTitle(str(title))}` : "";
  return `![${escapeText(str(alt), place)}](${linkDestination(url)}${titlePart})`;
}

/** `![[picture.png]]`, with its text and its size behind bars; null for what this form cannot say. */
function wikiPicture({ attrs }: Node): string | null {
  const { src, alt, title, width, height } = attrs ?? {};
  const named = str(title) === "" ? wikiTarget(attrs, src) : null;
  if (named === null || !isWikiPicture(named)) return null;
  const size = `${width ?? ""}${height === undefined || height === null ? "" : `x${height}`}`;
  if (size !== "" && !isWikiSize(size)) return null;
  if (str(alt) !== "" && (!isWikiName(str(alt)) || isWikiSize(str(alt)))) return null;
  return `![[${[named, str(alt), size].filter((part) => part !== "").join("|")}]]`;
}

/** The address of a link or picture outside of double brackets: there a page is named by its file. */
export function plainAddress(address: string): string {
  if (!address.startsWith(WIKI)) return address;
  const target = address.slice(WIKI.length);
  if (isWikiPicture(target)) return defined(target.split("#")[0]);
  const { folders, page, heading } = wikiPage(target);
  const path = page === "" ? "" : `${[...folders, page].join("/")}.md`;
  return heading === "" ? path : `${path}#${heading}`;
}
