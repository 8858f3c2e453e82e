import { listHeadings } from "@svc/document/read/headings";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../bodies/body.ts";
import { type Element, elementAt, offsetsOf } from "./json-elements.ts";
import { searchableBlocks } from "./searchable.ts";

/** A searchable block's text and the headings that it stands under, outermost first; a heading stands under itself. */
export type PlacedBlock = { readonly text: string; readonly headingPath: readonly string[] };

/** Finds the block in the JSON of its body: only it and the headings that it stands under are parsed. */
export function placeBlock({ segments }: StoredBody, blockId: string): PlacedBlock | undefined {
  const id = `"id":${JSON.stringify(blockId)}`;
  for (const [i, { json }] of segments.entries())
    for (const offset of offsetsOf(json, id)) {
      const element = elementAt(json, offset)!;
      const block = searchableBlocks([parse(json, element)]).find((one) => one.id === blockId);
      if (!block) continue;
      const before = segments.slice(0, i).map((segment) => segment.json);
      return { text: block.text, headingPath: headingPath([...before, json.slice(0, element.end)]) };
    }
  return undefined;
}

const parse = (json: string, { start, end }: Element): Node => JSON.parse(json.slice(start, end));

const levelKey = '"level":';

/** Headings that open sections which are still open at the end of these texts. */
function headingPath(texts: readonly string[]): string[] {
  const path: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let i = texts.length - 1; i >= 0 && level > 1; i--) {
    const json = texts[i]!;
    for (const offset of [...offsetsOf(json, levelKey)].reverse()) {
      // What a heading has there is a digit. Other nodes may say anything.
      if (json.charCodeAt(offset + levelKey.length) - zero >= level) continue;
      const heading = headingAt(json, offset);
      if (!heading || heading.level >= level) continue;
      path.unshift(heading.text);
      level = heading.level;
    }
  }
  return path;
}

const zero = 0x30;

/** The top-level block there, if it is a heading. */
function headingAt(json: string, offset: number) {
  const [heading] = listHeadings([parse(json, elementAt(json, offset)!)]);
  return heading?.nested ? undefined : heading;
}
