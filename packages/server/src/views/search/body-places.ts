import type { BodyLayout } from "./body-layout.ts";
import { elementAt, offsetsOf, parseElement } from "./json-elements.ts";
import { searchableBlocks } from "./searchable.ts";

/** A searchable block's text and the headings that it stands under, outermost first; a heading stands under itself. */
export type PlacedBlock = { readonly text: string; readonly headingPath: readonly string[] };

/** Finds the block in the JSON of its segment: only it is parsed. `jsonOf` is asked for segments that may have it. */
export function placeBlock(
  layout: BodyLayout,
  blockId: string,
  jsonOf: (segment: number) => string,
): PlacedBlock | undefined {
  const id = `"id":${JSON.stringify(blockId)}`;
  for (const segment of layout.segmentsWith(blockId)) {
    const json = jsonOf(segment);
    for (const offset of offsetsOf(json, id)) {
      const element = elementAt(json, offset)!;
      const block = searchableBlocks([parseElement(json, element)]).find((one) => one.id === blockId);
      if (block) return { text: block.text, headingPath: layout.headingPath(segment, element.end) };
    }
  }
  return undefined;
}
