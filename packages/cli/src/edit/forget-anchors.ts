import { readAnchor } from "@svc/document/markdown/anchor-comment";
import { blockIds } from "../sync/anchored-text.ts";

/**
 * The text without the anchors of blocks that were there when it was opened and are gone by now: what is left of such a
 * block comes back as a new one.
 */
export function forgetAnchors(text: string, opened: string, current: string): string {
  const gone = new Set(blockIds(opened)).difference(new Set(blockIds(current)));
  return text
    .split("\n")
    .filter((line) => !gone.has(readAnchor(line) ?? ""))
    .join("\n");
}
