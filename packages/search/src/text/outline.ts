import { listHeadings } from "@svc/document/read/headings";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";

/** A heading that opens a section: its block id, level and text. */
type OutlineEntry = readonly [id: string, level: number, text: string];

/** The headings of a body's top level, in document order. */
export type Outline = readonly OutlineEntry[];

/** The section of the blocks before the first heading. */
export const NO_SECTION = "";

export const isHeading = (node: Node | undefined): boolean => node?.type === "heading";

export const outlineOf = (blocks: readonly Node[]): Outline =>
  listHeadings(blocks.filter(isHeading))
    .filter(({ nested }) => !nested)
    .map(({ block_id, level, text }) => [block_id, level, text]);

/** The section of a top-level block: the id of the nearest heading, which may be the block itself. */
export function sectionAt(blocks: readonly Node[], position: number): string {
  for (let i = position; i >= 0; i--) {
    const block = blocks[i];
    if (block && isHeading(block)) return idOf(block);
  }
  return NO_SECTION;
}

/** The sections of all top-level blocks, by position. */
export function sectionsOf(blocks: readonly Node[]): string[] {
  let section = NO_SECTION;
  return blocks.map((block) => {
    if (isHeading(block)) section = idOf(block);
    return section;
  });
}

/** The headings that are open in each section, outermost first, as JSON. */
export function headingPaths(outline: Outline): Map<string, string> {
  const paths = new Map<string, string>();
  const open: OutlineEntry[] = [];
  for (const heading of outline) {
    while (open.length > 0 && open.at(-1)![1] >= heading[1]) open.pop();
    open.push(heading);
    paths.set(heading[0], JSON.stringify(open.map(([, , text]) => text)));
  }
  return paths;
}
