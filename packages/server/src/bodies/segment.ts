import { hash } from "node:crypto";
import { eachBlockId } from "@svc/document/blocks/find";
import { canonicalJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { type CommonEnds, commonEnds } from "@svc/document/diff";
import { characterCount } from "@svc/document/read/text";
import { readCanonical } from "@svc/document/read-canonical";
import type { Node } from "@svc/document/types";
import { blockJson } from "./block-json.ts";

/**
 * A run of top-level blocks, stored once per document under its hash. Immutable, so everything about it can be cached.
 */
export class Segment {
  readonly hash: string;
  readonly count: number;
  /** JSON array of the blocks in canonical form. */
  readonly json: string;
  #blocks: readonly Node[] | undefined;
  #index: ReadonlyMap<string, number> | undefined;
  #characters: number | undefined;
  #byteSize: number | undefined;

  constructor(hash: string, count: number, json: string, blocks?: readonly Node[]) {
    this.hash = hash;
    this.count = count;
    this.json = json;
    this.#blocks = blocks;
  }

  get blocks(): readonly Node[] {
    this.#blocks ??= JSON.parse(this.json) as Node[];
    return this.#blocks;
  }

  /** Drops the parsed blocks and everything derived from them. The text stays, and the next reader parses it again. */
  release(): void {
    this.#blocks = undefined;
    this.#index = undefined;
  }

  /**
   * Returns the blocks for one use, without caching them if they are not yet cached. Most readers need only the text.
   */
  readBlocks(): readonly Node[] {
    return this.#blocks ?? readCanonical(this.json);
  }

  /** The position in the segment of the top-level block of every block id, nested ones included. */
  get index(): ReadonlyMap<string, number> {
    if (this.#index) return this.#index;
    const index = new Map<string, number>();
    this.blocks.forEach((block, position) => {
      eachBlockId([block], (id) => void index.set(id, position));
    });
    this.#index = index;
    return index;
  }

  get byteSize(): number {
    this.#byteSize ??= Buffer.byteLength(this.json);
    return this.#byteSize;
  }

  /** Code points of text. */
  get characters(): number {
    this.#characters ??= this.blocks.reduce((sum, block) => sum + characterCount(block), 0);
    return this.#characters;
  }
}

/**
 * The average length of a segment in characters, whatever the size of its blocks: the longer a segment is, the likelier
 * a block ends it. Small, because every edit stores its segment again; not smaller, because every segment is a line of
 * the manifest.
 */
const MEAN_LENGTH = 3072;
export const MAX_LENGTH = 5 * MEAN_LENGTH;

/** FNV-1a with a final mix: decides where to cut, so it must depend on the text alone. */
function cutHash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

const endsSegment = (text: string): boolean => cutHash(text) / 2 ** 32 < text.length / MEAN_LENGTH;

const digest = (text: string): string => hash("sha256", text, "base64url");

function close(blocks: readonly Node[], texts: readonly string[]): Segment {
  const json = `[${texts.join(",")}]`;
  return new Segment(digest(json), blocks.length, json, blocks);
}

/**
 * Cuts the blocks from a position on into segments. The cuts depend on content alone, so equal bodies have equal
 * segments whatever their history. `resume` is called at each cut with the position behind it; what it returns is the
 * rest. `jsonOf` returns a block's canonical JSON.
 */
export function cut(
  blocks: readonly Node[],
  jsonOf: (block: Node) => string = canonicalJson,
  from = 0,
  resume?: (position: number) => readonly Segment[] | undefined,
): Segment[] {
  const segments: Segment[] = [];
  let run: Node[] = [];
  let texts: string[] = [];
  let length = 0;
  for (let i = from; i < blocks.length; i++) {
    const block = defined(blocks[i]);
    const text = jsonOf(block);
    run.push(block);
    texts.push(text);
    length += text.length;
    if (length < MAX_LENGTH && !endsSegment(text)) continue;
    segments.push(close(run, texts));
    const rest = resume?.(i + 1);
    if (rest) return segments.concat(rest);
    run = [];
    texts = [];
    length = 0;
  }
  if (run.length > 0) segments.push(close(run, texts));
  return segments;
}

/**
 * The segments of a changed body. Only the part between the first and the last changed block is cut again, until a cut
 * falls on an old one in the unchanged tail.
 */
export function recut(
  old: readonly Segment[],
  before: readonly Node[],
  after: readonly Node[],
  { start, tail }: CommonEnds = commonEnds(before, after),
): readonly Segment[] {
  // A first body is rarely edited soon, so the texts of its blocks are not stored by block.
  if (old.length === 0) return cut(after);
  if (start === before.length && start === after.length) return old;
  let kept = 0;
  let from = 0;
  // The last segment ends with the body instead of a cut, so it never stays whole before new blocks.
  while (kept < old.length - 1 && from + defined(old[kept]).count <= start) from += defined(old[kept++]).count;
  const shift = before.length - after.length;
  let next = kept;
  let nextStart = from;
  const resume = (position: number) => {
    if (position < after.length - tail) return undefined;
    while (next < old.length && nextStart < position + shift) nextStart += defined(old[next++]).count;
    return next < old.length && nextStart === position + shift ? old.slice(next) : undefined;
  };
  return old.slice(0, kept).concat(cut(after, blockJson, from, resume));
}
