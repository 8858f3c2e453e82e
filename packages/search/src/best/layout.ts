import type { Outline } from "../text/outline.ts";

/** A searchable block of a document; its id is empty for the title, and `section` is the id of the heading above it. */
export type LaidBlock = {
  readonly number: number;
  readonly blockId: string;
  readonly section: string;
  /** Too short to answer anything, or code. Headings are poor too. */
  readonly isPoor: boolean;
};

/** The blocks of one document, ascending by number, and its sections. */
export type DocumentLayout = {
  readonly numbers: Uint32Array;
  /** The section of each block. The title and the blocks before the first heading are in section 0. */
  readonly sections: Uint16Array;
  readonly poor: Uint8Array;
  /** By section: the number of its heading's block, 0 for none. */
  readonly headings: Uint32Array;
  /** By section: the section of the heading above its heading. */
  readonly parents: Uint16Array;
  /** Estimated bytes in memory. */
  readonly bytes: number;
};

const NO_SECTION = 0;
const OVERHEAD_BYTES = 900;
/** More sections than this are counted as one. */
const MAX_SECTIONS = 65_000;

/** `blocks` ascending by number. */
export function layoutOf(blocks: readonly LaidBlock[], outline: Outline): DocumentLayout {
  const known = new Map<string, number>();
  const indexOf = (section: string): number => {
    if (section === "") return NO_SECTION;
    const index = known.get(section) ?? known.size + 1;
    if (index > MAX_SECTIONS) return NO_SECTION;
    known.set(section, index);
    return index;
  };
  const sections = Uint16Array.from(blocks, ({ section }) => indexOf(section));
  const parentOf = parentsOf(outline, indexOf);
  const headings = new Uint32Array(known.size + 1);
  for (const [i, { number, blockId, section }] of blocks.entries())
    if (blockId !== "" && blockId === section) headings[sections[i]!] = number;
  const poor = Uint8Array.from(blocks, ({ blockId, section, isPoor }) =>
    isPoor || (blockId !== "" && blockId === section) ? 1 : 0,
  );
  const parents = Uint16Array.from(headings, (_, section) => parentOf.get(section) ?? NO_SECTION);
  const numbers = Uint32Array.from(blocks, ({ number }) => number);
  const bytes = OVERHEAD_BYTES + blocks.length * 7 + headings.length * 6;
  return { numbers, sections, poor, headings, parents, bytes };
}

/** The section above each section of the outline. */
function parentsOf(outline: Outline, indexOf: (section: string) => number): Map<number, number> {
  const parents = new Map<number, number>();
  const open: { readonly section: number; readonly level: number }[] = [];
  for (const [id, level] of outline) {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
    const section = indexOf(id);
    const parent = open.at(-1)?.section ?? NO_SECTION;
    if (section !== NO_SECTION && parent !== section) parents.set(section, parent);
    open.push({ section, level });
  }
  return parents;
}

/** A block that is not in the layout it is looked up in: alone, without headings above it. */
export const NO_LAYOUT: DocumentLayout = layoutOf([], []);
