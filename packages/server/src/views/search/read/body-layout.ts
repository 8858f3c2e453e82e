import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import type { Segment } from "../../../bodies/segment.ts";
import { type Element, elementAfter, parseElement } from "./json-elements.ts";

/** A heading that opens a section: its segment and its position in the segment's JSON. */
interface PlacedHeading {
  readonly segment: number;
  readonly start: number;
  readonly level: number;
  readonly text: string;
}

const idKey = '"id":"';
const levelKey = '"level":';
const QUOTE = 0x22;

/**
 * Returns a number for the id that begins at `from` and ends with a quotation mark. Different ids may have the same
 * number.
 */
function markOf(json: string, from: number): number {
  let mark = 0x811c9dc5;
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) break;
    mark = Math.imul(mark ^ unit, 0x01000193);
  }
  return mark >>> 0;
}

/** The location of a top-level block that may be or contain the wanted block. */
export interface Location extends Element {
  /** The segment's index. */
  readonly segment: number;
}

/**
 * The layout of one version of a body: the location of each block, and the headings. It takes a few kilobytes for ten
 * of text, and lets a block be found by reading one segment.
 */
export class BodyLayout {
  /** Hashes of the segments. */
  readonly hashes: readonly string[];
  /** For each top-level block: the segment it is in, and its start and end in that segment's JSON. */
  readonly #locations: Uint32Array;
  /** Possible ids in the top-level blocks, one after the other; those of block `i` end at `#ends[i]`. */
  readonly #marks: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #headings: readonly PlacedHeading[];

  constructor(segments: readonly Pick<Segment, "hash" | "json">[]) {
    const locations: number[] = [];
    const marks: number[] = [];
    const ends: number[] = [];
    const headings: PlacedHeading[] = [];
    for (const [segment, { json }] of segments.entries()) {
      let id = json.indexOf(idKey);
      let level = json.indexOf(levelKey);
      for (let element = elementAfter(json, 1); element; element = elementAfter(json, element.end)) {
        const { start, end } = element;
        locations.push(segment, start, end);
        for (; id >= 0 && id < end; id = json.indexOf(idKey, id + idKey.length))
          marks.push(markOf(json, id + idKey.length));
        ends.push(marks.length);
        // A node without a level is not a heading.
        if (level < 0 || level >= end) continue;
        const [heading] = listHeadings([parseElement(json, element)]);
        if (heading && !heading.nested) headings.push({ segment, start, level: heading.level, text: heading.text });
        level = json.indexOf(levelKey, end);
      }
    }
    this.hashes = segments.map(({ hash }) => hash);
    this.#locations = Uint32Array.from(locations);
    this.#marks = Uint32Array.from(marks);
    this.#ends = Uint32Array.from(ends);
    this.#headings = headings;
  }

  /** Returns the possible locations of the block, nearly always one. */
  locationsOf(blockId: string): Location[] {
    const mark = markOf(JSON.stringify(blockId), 1);
    const found: Location[] = [];
    for (let at = this.#marks.indexOf(mark); at >= 0; at = this.#marks.indexOf(mark, at + 1)) {
      const location = WIDTH * upperBound(this.#ends, at);
      found.push({
        segment: defined(this.#locations[location]),
        start: defined(this.#locations[location + 1]),
        end: defined(this.#locations[location + 2]),
      });
    }
    return found;
  }

  /** The headings of the sections that are open at the end of a top-level block, outermost first. */
  headingPath({ segment, end }: Location): string[] {
    const path: string[] = [];
    let level = Number.POSITIVE_INFINITY;
    for (let i = this.#headings.length - 1; i >= 0 && level > 1; i--) {
      const heading = defined(this.#headings[i]);
      if (heading.level >= level) continue;
      if (heading.segment > segment || (heading.segment === segment && heading.start >= end)) continue;
      path.push(heading.text);
      level = heading.level;
    }
    return path.reverse();
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    const texts = this.#headings.reduce((sum, { text }) => sum + 100 + 2 * text.length, 0);
    const numbers = this.#locations.length + this.#marks.length + this.#ends.length;
    return 600 + 100 * this.hashes.length + 4 * numbers + texts;
  }
}

/** The number of values per location. */
const WIDTH = 3;

/** Returns the index of the first greater number in an ascending list. */
function upperBound(numbers: Uint32Array, number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (defined(numbers[middle]) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
