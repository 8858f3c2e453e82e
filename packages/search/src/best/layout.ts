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
};

/** A layout in one buffer, which is how many of them fit into memory. */
export type PackedLayout = { readonly blocks: number; readonly buffer: ArrayBuffer };

const NO_SECTION = 0;
/** More sections than this are counted as one. */
const MAX_SECTIONS = 65_000;

/** Bytes of a block and of a section in a packed layout. */
const BLOCK_BYTES = 7;
const SECTION_BYTES = 6;

export function unpackLayout({ blocks, buffer }: PackedLayout): DocumentLayout {
  const sections = (buffer.byteLength - BLOCK_BYTES * blocks) / SECTION_BYTES;
  const shortsAt = 4 * (blocks + sections);
  return {
    numbers: new Uint32Array(buffer, 0, blocks),
    headings: new Uint32Array(buffer, 4 * blocks, sections),
    sections: new Uint16Array(buffer, shortsAt, blocks),
    parents: new Uint16Array(buffer, shortsAt + 2 * blocks, sections),
    poor: new Uint8Array(buffer, shortsAt + 2 * (blocks + sections), blocks),
  };
}

/** `blocks` ascending by number. */
export function packLayout(blocks: readonly LaidBlock[], outline: Outline): PackedLayout {
  const known = new Map<string, number>();
  const indexOf = (section: string): number => {
    if (section === "") return NO_SECTION;
    const index = known.get(section) ?? known.size + 1;
    if (index > MAX_SECTIONS) return NO_SECTION;
    known.set(section, index);
    return index;
  };
  const sectionOf = blocks.map(({ section }) => indexOf(section));
  const parentOf = parentsOf(outline, indexOf);
  const count = known.size + 1;
  const packed = {
    blocks: blocks.length,
    buffer: new ArrayBuffer(BLOCK_BYTES * blocks.length + SECTION_BYTES * count),
  };
  const { numbers, headings, sections, parents, poor } = unpackLayout(packed);
  sections.set(sectionOf);
  for (const [i, { number, blockId, section, isPoor }] of blocks.entries()) {
    const isHeading = blockId !== "" && blockId === section;
    numbers[i] = number;
    poor[i] = isPoor || isHeading ? 1 : 0;
    if (isHeading) headings[sections[i]!] = number;
  }
  for (let section = 0; section < count; section++) parents[section] = parentOf.get(section) ?? NO_SECTION;
  return packed;
}

export const layoutOf = (blocks: readonly LaidBlock[], outline: Outline): DocumentLayout =>
  unpackLayout(packLayout(blocks, outline));

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
