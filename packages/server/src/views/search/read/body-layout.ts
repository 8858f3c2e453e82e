import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import type { Segment } from "../../../bodies/segment.ts";
import { type Element, elementAfter, parseElement } from "./json-elements.ts";

/** A heading that opens a section: of which segment of the body, and where in its JSON. */
interface PlacedHeading {
  readonly segment: number;
  readonly start: number;
  readonly level: number;
  readonly text: string;
}

const idKey = '"id":"';
const levelKey = '"level":';
const QUOTE = 0x22;

/** A number for an id, which begins at `from` and ends with a quotation mark. Different ids may have the same. */
function markOf(json: string, from: number): number {
  let mark = 0x811c9dc5;
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) break;
    mark = Math.imul(mark ^ unit, 0x01000193);
  }
  return mark >>> 0;
}

/** Where a top-level block is that may be, or have in it, the one that is looked for. */
export interface Place extends Element {
  /** By its index. */
  readonly segment: number;
}

/**
 * What one version of a body is made of: where a block is to be looked for, and the headings. A few kilobytes for ten of text,
 * so that a block is found by reading one segment.
 */
export class BodyLayout {
  /** Of the segments. */
  readonly hashes: readonly string[];
  /** For each top-level block, segment after segment: which segment it is in, where it begins and ends in its JSON. */
  readonly #places: Uint32Array;
  /** What may be ids in the top-level blocks, one after the other; those of block `i` end at `#ends[i]`. */
  readonly #marks: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #headings: readonly PlacedHeading[];

  constructor(segments: readonly Pick<Segment, "hash" | "json">[]) {
    const places: number[] = [];
    const marks: number[] = [];
    const ends: number[] = [];
    const headings: PlacedHeading[] = [];
    for (const [segment, { json }] of segments.entries()) {
      let id = json.indexOf(idKey);
      let level = json.indexOf(levelKey);
      for (let element = elementAfter(json, 1); element; element = elementAfter(json, element.end)) {
        const { start, end } = element;
        places.push(segment, start, end);
        for (; id >= 0 && id < end; id = json.indexOf(idKey, id + idKey.length))
          marks.push(markOf(json, id + idKey.length));
        ends.push(marks.length);
        // What has no level, is no heading.
        if (level < 0 || level >= end) continue;
        const [heading] = listHeadings([parseElement(json, element)]);
        if (heading && !heading.nested) headings.push({ segment, start, level: heading.level, text: heading.text });
        level = json.indexOf(levelKey, end);
      }
    }
    this.hashes = segments.map(({ hash }) => hash);
    this.#places = Uint32Array.from(places);
    this.#marks = Uint32Array.from(marks);
    this.#ends = Uint32Array.from(ends);
    this.#headings = headings;
  }

  /** Where the block may be: nearly always one place. */
  placesOf(blockId: string): Place[] {
    const mark = markOf(JSON.stringify(blockId), 1);
    const found: Place[] = [];
    for (let at = this.#marks.indexOf(mark); at >= 0; at = this.#marks.indexOf(mark, at + 1)) {
      const place = WIDTH * upperBound(this.#ends, at);
      found.push({
        segment: defined(this.#places[place]),
        start: defined(this.#places[place + 1]),
        end: defined(this.#places[place + 2]),
      });
    }
    return found;
  }

  /** Headings of the sections that are open at the end of a top-level block, outermost first. */
  headingPath({ segment, end }: Place): string[] {
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

  /** What it takes in memory, roughly. */
  get bytes(): number {
    const texts = this.#headings.reduce((sum, { text }) => sum + 100 + 2 * text.length, 0);
    const numbers = this.#places.length + this.#marks.length + this.#ends.length;
    return 600 + 100 * this.hashes.length + 4 * numbers + texts;
  }
}

/** Numbers of a place. */
const WIDTH = 3;

/** The first of ascending numbers that is greater. */
function upperBound(numbers: Uint32Array, number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (defined(numbers[middle]) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
