import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { plainText } from "../read/text.ts";
import type { Node } from "../types.ts";

/**
 * The index of the top-level heading with this text. White space, case and the way accents are composed do not count.
 * The first equal heading wins; without one, the first that contains the text.
 */
export function matchHeading(blocks: readonly Node[], text: string): number {
  const wanted = fold(text);
  let containing = -1;
  for (let i = 0; i < blocks.length; i++) {
    if (defined(blocks[i]).type !== "heading") continue;
    const heading = fold(plainText(defined(blocks[i])));
    if (heading === wanted) return i;
    if (containing < 0 && heading.includes(wanted)) containing = i;
  }
  if (containing < 0) throw headingNotFound(text);
  return containing;
}

/** Upper case first, so that letters with several lower-case forms (ß and ss, both sigmas) meet. */
const fold = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\s\u0085]+/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ");

const headingNotFound = (heading: string): DocumentError =>
  new DocumentError("heading_not_found", "No top-level heading matches.", { heading: heading.slice(0, 200) });
