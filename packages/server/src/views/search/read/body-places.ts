import { searchableBlocks } from "@svc/search/text/searchable";
import type { BodyLayout, Place } from "./body-layout.ts";
import { parseElement } from "./json-elements.ts";

/** A searchable block's text and the headings that it stands under, outermost first; a heading stands under itself. */
type PlacedBlock = { readonly text: string; readonly headingPath: readonly string[] };

/** Finds a block at one of the places where its body may have it. `jsonOf` gives segments by their index. */
export function placeBlock(
  layout: BodyLayout,
  blockId: string,
  places: readonly Place[],
  jsonOf: (segment: number) => string,
): PlacedBlock | undefined {
  for (const place of places) {
    const block = searchableBlocks([parseElement(jsonOf(place.segment), place)]).find((one) => one.id === blockId);
    if (block) return { text: block.text, headingPath: layout.headingPath(place) };
  }
  return undefined;
}
