import { lengthNorm } from "../query/bm25.ts";
import { documentsOf } from "../query/document-filter.ts";
import type { PostingList } from "../segment/posting-list.ts";
import type { SegmentView } from "../segment/segment-view.ts";
import { saturated } from "./weights.ts";

/** A list by document: what a block of each document can gain from it at most. */
type Impacts = {
  /** Ascending runs; a document whose numbers are interleaved with another's may come again. */
  readonly documents: Uint32Array;
  /** The greatest saturated frequency among the document's blocks. */
  readonly best: Float64Array;
  /** 1 where the title has the word. */
  readonly titles: Uint8Array;
  /** The list as a bit set from the segment's base; of a short list none. */
  readonly bits: Uint32Array | undefined;
  /** Computed for this average length: true for all that are not greater. */
  readonly average: number;
};

/** Averages grow slowly. Within this margin the bounds stay true, and are not much too high. */
const MARGIN = 1.05;
/** Lists with at least one posting for so many numbers have bits. */
const SPARSE = 64;

const known = new WeakMap<PostingList, Impacts>();

/** Computed once for each list and each range of averages: lists never change. */
export function impactsOf(list: PostingList, view: SegmentView, average: number): Impacts {
  const cached = known.get(list);
  if (cached && average <= cached.average && cached.average <= average * MARGIN * MARGIN) return cached;
  const impacts = computed(list, view, average * MARGIN);
  known.set(list, impacts);
  return impacts;
}

function computed(list: PostingList, view: SegmentView, average: number): Impacts {
  const { numbers, codes, frequencies, size } = list;
  const owners = documentsOf(list, view);
  const documents = new Uint32Array(size);
  const best = new Float64Array(size);
  const titles = new Uint8Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    if (count === 0 || documents[count - 1] !== owners[i]) documents[count++] = owners[i]!;
    const code = codes[i]!;
    const gain = saturated(frequencies[i]!, lengthNorm(code >>> 1, average));
    if (gain > best[count - 1]!) best[count - 1] = gain;
    if (code & 1) titles[count - 1] = 1;
  }
  const bits = size * SPARSE >= view.last - view.base ? bitsOf(numbers, size, view) : undefined;
  return {
    documents: documents.slice(0, count),
    best: best.slice(0, count),
    titles: titles.slice(0, count),
    bits,
    average,
  };
}

function bitsOf(numbers: Uint32Array, size: number, { base, last }: SegmentView): Uint32Array {
  const bits = newBits(base, last);
  setBits(bits, numbers, size, base);
  return bits;
}

export const newBits = (base: number, last: number): Uint32Array => new Uint32Array(((last - base) >>> 5) + 1);

export function setBits(bits: Uint32Array, numbers: Uint32Array, size: number, base: number): void {
  for (let i = 0; i < size; i++) {
    const at = numbers[i]! - base;
    bits[at >>> 5]! |= 1 << (at & 31);
  }
}
