import { searchableBlocks } from "@svc/search/text/searchable";
import type { BodyLayout, Location } from "./body-layout.ts";
import { parseElement } from "./json-elements.ts";

/** A searchable block's text and the headings above it, outermost first; a heading includes itself. */
type LocatedBlock = { readonly text: string; readonly headingPath: readonly string[] };

/** Finds a block at one of its possible locations. `jsonOf` returns a segment by its index. */
export function locateBlock(
  layout: BodyLayout,
  blockId: string,
  locations: readonly Location[],
  jsonOf: (segment: number) => string,
): LocatedBlock | undefined {
  for (const location of locations) {
    const block = searchableBlocks([parseElement(jsonOf(location.segment), location)]).find(
      (one) => one.id === blockId,
    );
    if (block) return { text: block.text, headingPath: layout.headingPath(location) };
  }
  return undefined;
}
