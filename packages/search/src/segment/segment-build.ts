import { scan } from "../text/tokenizer.ts";
import { type EncodedPage, type Field, lengthCode } from "./segment-format.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { sortTerms } from "./term-order.ts";
import { doubled, TermTable, USUAL_TERMS } from "./term-table.ts";

type FieldText = { readonly field: Field; readonly text: string };

export type BuiltSegment = {
  /** The length of each text in words; a text without words has 0 and is not indexed. */
  readonly lengths: readonly number[];
  /** They contain distances, and so fit any base. */
  readonly pages: readonly EncodedPage[];
};

// Segments are built synchronously, so one writer and one set of buffers for terms and occurrences is enough.

const writer = new SegmentWriter(0);
let table = new TermTable();

/** The number of occurrences for which the buffers are kept. */
const USUAL_OCCURRENCES = 1 << 14;
/** The term, the block within the segment and the position of each occurrence, in the order of the texts. */
let terms = new Uint32Array(USUAL_OCCURRENCES);
let blocks = new Uint32Array(USUAL_OCCURRENCES);
let positions = new Uint32Array(USUAL_OCCURRENCES);
/** Blocks and positions ordered by term. */
let blocksByTerm = new Uint32Array(USUAL_OCCURRENCES);
let positionsByTerm = new Uint32Array(USUAL_OCCURRENCES);
let occurrences = 0;
/** The code of each block of the segment. */
let codes: number[] = [];

/** Tokenises texts and encodes them, in order, as the blocks of one segment. */
export function buildSegment(texts: readonly FieldText[]): BuiltSegment {
  try {
    const lengths = texts.map(({ field, text }) => {
      const length = scan(text, note);
      if (length > 0) codes.push(lengthCode(length, field));
      return length;
    });
    return { lengths, pages: codes.length === 0 ? [] : encode() };
  } finally {
    clear();
  }
}

function clear(): void {
  if (table.size > USUAL_TERMS) table = new TermTable();
  else table.clear();
  if (terms.length > USUAL_OCCURRENCES) resize(() => new Uint32Array(USUAL_OCCURRENCES));
  occurrences = 0;
  codes = [];
}

function note(term: string, _start: number, _end: number, position: number): void {
  const number = table.numberOf(term);
  table.counts[number]!++;
  if (occurrences === terms.length) resize(doubled);
  terms[occurrences] = number;
  blocks[occurrences] = codes.length;
  positions[occurrences++] = position;
}

function resize(resized: (list: Uint32Array<ArrayBuffer>) => Uint32Array<ArrayBuffer>): void {
  terms = resized(terms);
  blocks = resized(blocks);
  positions = resized(positions);
  blocksByTerm = resized(blocksByTerm);
  positionsByTerm = resized(positionsByTerm);
}

function encode(): readonly EncodedPage[] {
  const { counts, bytes, starts } = table;
  const order = sortTerms(table, table.size);
  orderOccurrences(order);
  writer.clear();
  let from = 0;
  for (const term of order) {
    const to = counts[term]!;
    writer.beginTerm(bytes, starts[term]!, starts[term + 1]!);
    writeOccurrences(from, to);
    writer.endTerm();
    from = to;
  }
  writer.finish();
  return writer.ready;
}

/** Groups the occurrences by term, with their order unchanged. Each term's count becomes the end index of its group. */
function orderOccurrences(order: Uint32Array): void {
  const { counts } = table;
  let next = 0;
  for (const term of order) {
    const count = counts[term]!;
    counts[term] = next;
    next += count;
  }
  for (let i = 0; i < occurrences; i++) {
    const index = counts[terms[i]!]!++;
    blocksByTerm[index] = blocks[i]!;
    positionsByTerm[index] = positions[i]!;
  }
}

function writeOccurrences(start: number, end: number): void {
  for (let from = start; from < end; ) {
    const block = blocksByTerm[from]!;
    let to = from + 1;
    while (to < end && blocksByTerm[to] === block) to++;
    writer.posting(block, codes[block]!, to - from);
    let previous = 0;
    for (; from < to; from++) {
      const position = positionsByTerm[from]!;
      writer.positionSink.varint(position - previous);
      previous = position;
    }
  }
}
