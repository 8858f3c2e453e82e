import { defined } from "../defined.ts";
import { idOf } from "../schema/node.ts";
import type { Body } from "../types.ts";
import { type Heading, listHeadings } from "./headings.ts";
import { uniqueSlugs } from "./slugs.ts";

/** A section of a document, with the names the API uses. */
export interface OutlineItem {
  readonly block_id: string;
  readonly level: number;
  readonly text: string;
  readonly slug: string;
  readonly position: number;
  /** From the heading to the last block before the next heading of the same or a higher level. */
  readonly range: { readonly start_block_id: string; readonly end_block_id: string; readonly block_count: number };
  readonly children: readonly OutlineItem[];
}

export function outline({ content }: Body): OutlineItem[] {
  const headings = listHeadings(content);
  const roots: OutlineItem[] = [];
  const open: { readonly level: number; readonly children: OutlineItem[] }[] = [];
  const ends = sectionEnds(headings, content.length);
  const slugList = uniqueSlugs(headings.map((heading) => heading.text));
  headings.forEach((heading, i) => {
    if (heading.nested) return;
    while (open.length > 0 && defined(open.at(-1)).level >= heading.level) open.pop();
    const children: OutlineItem[] = [];
    const end = defined(ends[i]);
    const item = itemOf(heading, defined(slugList[i]), end, idOf(defined(content[end - 1])), children);
    (open.at(-1)?.children ?? roots).push(item);
    open.push({ level: heading.level, children });
  });
  return roots;
}

function itemOf(
  heading: Heading,
  slug: string,
  end: number,
  end_block_id: string,
  children: readonly OutlineItem[],
): OutlineItem {
  const { block_id, level, text, position } = heading;
  const range = { start_block_id: block_id, end_block_id, block_count: end - position };
  return { block_id, level, text, slug, position, range, children };
}

/** For each heading the position just after its section; found from the back with one entry per level. */
export function sectionEnds(headings: readonly Heading[], blockCount: number): number[] {
  const next: number[] = new Array(7).fill(blockCount);
  const ends = new Array<number>(headings.length);
  for (let i = headings.length - 1; i >= 0; i--) {
    const { level, position, nested } = defined(headings[i]);
    ends[i] = defined(next[level]);
    if (!nested) next.fill(position, level);
  }
  return ends;
}

/** The texts of the headings that a top-level block stands under, outermost first; a heading stands under itself. */
export function headingPaths(headings: readonly Heading[], blockCount: number): (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const sections = headings.filter((heading) => !heading.nested);
  let open: Heading[] = [];
  let path: readonly string[] = [];
  let next = 0;
  for (let position = 0; position < blockCount; position++) {
    const heading = sections[next];
    if (heading?.position === position) {
      open = [...open.filter((outer) => outer.level < heading.level), heading];
      path = open.map((outer) => outer.text);
      next++;
    }
    paths.push(path);
  }
  return paths;
}
