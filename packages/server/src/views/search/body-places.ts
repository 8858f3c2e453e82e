import { type Heading, listHeadings } from "@svc/document/read/headings";
import type { StoredBody } from "../../bodies/body.ts";
import type { Segment } from "../../bodies/segment.ts";
import { searchableBlocks } from "./searchable.ts";

/** A searchable block's text and the headings that it stands under, outermost first; a heading stands under itself. */
export type PlacedBlock = { readonly text: string; readonly headingPath: readonly string[] };

const known = new WeakMap<Segment, readonly Heading[]>();

/** Headings that open sections, with positions counted within the segment. Segments never change. */
function headingsOf(segment: Segment): readonly Heading[] {
  const kept = known.get(segment);
  if (kept) return kept;
  const headings = listHeadings(segment.blocks).filter((heading) => !heading.nested);
  known.set(segment, headings);
  return headings;
}

/** Reads only the segments up to the block's, and of those that lie before it only the headings. */
export function placeBlock({ segments }: StoredBody, blockId: string): PlacedBlock | undefined {
  const at = segments.findIndex((segment) => segment.index.has(blockId));
  const segment = segments[at];
  if (!segment) return undefined;
  const position = segment.index.get(blockId)!;
  const block = searchableBlocks([segment.blocks[position]!]).find(({ id }) => id === blockId);
  return block && { text: block.text, headingPath: headingPath(segments, at, position) };
}

function headingPath(segments: readonly Segment[], at: number, position: number): string[] {
  const path: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let i = at; i >= 0 && level > 1; i--) {
    const headings = headingsOf(segments[i]!);
    for (let h = headings.length - 1; h >= 0; h--) {
      const heading = headings[h]!;
      if ((i === at && heading.position > position) || heading.level >= level) continue;
      path.unshift(heading.text);
      level = heading.level;
    }
  }
  return path;
}
