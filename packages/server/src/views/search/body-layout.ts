import { listHeadings } from "@svc/document/read/headings";
import type { Segment } from "../../bodies/segment.ts";
import { elementAt, offsetsOf, parseElement } from "./json-elements.ts";

/** A heading that opens a section: of which segment of the body, and where in its JSON. */
interface PlacedHeading {
  readonly segment: number;
  readonly start: number;
  readonly level: number;
  readonly text: string;
}

const idKey = '"id":"';
const levelKey = '"level":';
const quote = 0x22;

/** A number for an id, which begins at `from` and ends with a quotation mark. Different ids may have the same. */
function markOf(json: string, from: number): number {
  let mark = 0x811c9dc5;
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) break;
    mark = Math.imul(mark ^ unit, 0x01000193);
  }
  return mark >>> 0;
}

/**
 * What one version of a body is made of: in which segment a block is to be looked for, and the headings. Some hundred
 * bytes for ten kilobytes of text, so that a block is found by reading one segment.
 */
export class BodyLayout {
  /** Of the segments. */
  readonly hashes: readonly string[];
  /** What may be ids of blocks, segment after segment; those of segment `i` end at `#ends[i]`. */
  readonly #marks: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #headings: readonly PlacedHeading[];

  constructor(segments: readonly Pick<Segment, "hash" | "json">[]) {
    const marks: number[] = [];
    const ends: number[] = [];
    for (const { json } of segments) {
      for (const offset of offsetsOf(json, idKey)) marks.push(markOf(json, offset + idKey.length));
      ends.push(marks.length);
    }
    this.hashes = segments.map(({ hash }) => hash);
    this.#marks = Uint32Array.from(marks);
    this.#ends = Uint32Array.from(ends);
    this.#headings = segments.flatMap(({ json }, i) => headingsOf(json, i));
  }

  /** Segments, by their index, that may have the block: nearly always one. */
  segmentsWith(blockId: string): number[] {
    const mark = markOf(JSON.stringify(blockId), 1);
    const found: number[] = [];
    for (let at = this.#marks.indexOf(mark); at >= 0; at = this.#marks.indexOf(mark, at + 1)) {
      const segment = this.#ends.findIndex((end) => at < end);
      if (found.at(-1) !== segment) found.push(segment);
    }
    return found;
  }

  /** Headings of the sections that are open at an offset of a segment, outermost first. */
  headingPath(segment: number, offset: number): string[] {
    const path: string[] = [];
    let level = Number.POSITIVE_INFINITY;
    for (let i = this.#headings.length - 1; i >= 0 && level > 1; i--) {
      const heading = this.#headings[i]!;
      if (heading.level >= level) continue;
      if (heading.segment > segment || (heading.segment === segment && heading.start >= offset)) continue;
      path.push(heading.text);
      level = heading.level;
    }
    return path.reverse();
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    const texts = this.#headings.reduce((sum, { text }) => sum + 100 + 2 * text.length, 0);
    return 400 + 100 * this.hashes.length + 4 * this.#marks.length + texts;
  }
}

/** Those among the top-level blocks of a segment. */
function headingsOf(json: string, segment: number): PlacedHeading[] {
  const found: PlacedHeading[] = [];
  let from = 1;
  for (const offset of offsetsOf(json, levelKey)) {
    // Another of an element that was looked at.
    if (offset < from) continue;
    const element = elementAt(json, offset, from)!;
    from = element.end;
    const [heading] = listHeadings([parseElement(json, element)]);
    if (heading && !heading.nested)
      found.push({ segment, start: element.start, level: heading.level, text: heading.text });
  }
  return found;
}
