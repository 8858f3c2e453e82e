import { ByteReader, ByteSink } from "./bytes.ts";
import { lowerBound } from "./packed-numbers.ts";

/** Consecutive block numbers of one document: `firsts[i]` up to `lasts[i]` belong to `documents[i]`. Ascending. */
export type DocumentRuns = {
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
  readonly documents: Uint32Array;
};

export type BlockOwner = { readonly number: number; readonly document: number };

type Run = [first: number, last: number, document: number];

/** Precedes runs that count from their segment's base. No other list of runs begins with it. */
const RELATIVE = 0;

/** `owners` ascending by number. Counts from the base, so that the runs can be packed before it is known. */
export function packRuns(owners: readonly BlockOwner[], base: number): Uint8Array {
  if (owners.length === 0) return encodeRuns([]);
  const runs: Run[] = [];
  for (const { number, document } of owners) extendRuns(runs, number - base, number - base, document);
  return Uint8Array.from([RELATIVE, ...encodeRuns(runs)]);
}

function extendRuns(runs: Run[], first: number, last: number, document: number): void {
  if (last < first) return;
  const before = runs.at(-1);
  if (before && before[2] === document && before[1] + 1 === first) before[1] = last;
  else runs.push([first, last, document]);
}

function encodeRuns(runs: readonly Run[]): Uint8Array {
  const sink = new ByteSink();
  let previous = 0;
  for (const [first, last, document] of runs) {
    sink.varint(first - previous);
    sink.varint(last - first);
    sink.varint(document);
    previous = last;
  }
  return sink.take();
}

/** `base` is the segment's base. */
export function unpackRuns(packed: Uint8Array, base: number): DocumentRuns {
  const isRelative = packed[0] === RELATIVE;
  const reader = new ByteReader(isRelative ? packed.subarray(1) : packed);
  const firsts: number[] = [];
  const lasts: number[] = [];
  const documents: number[] = [];
  let previous = isRelative ? base : 0;
  while (!reader.done) {
    const first = previous + reader.varint();
    previous = first + reader.varint();
    firsts.push(first);
    lasts.push(previous);
    documents.push(reader.varint());
  }
  return { firsts: Uint32Array.from(firsts), lasts: Uint32Array.from(lasts), documents: Uint32Array.from(documents) };
}

/** A segment with fewer live numbers than this share has no list of all documents. */
const SPARSE = 8;

/** The document of each number from `base` to `last`, 0 for dead ones: the fastest lookup. */
export function documentsByNumber(
  { firsts, lasts, documents }: DocumentRuns,
  { base, last, blocks }: { readonly base: number; readonly last: number; readonly blocks: number },
): Uint32Array | undefined {
  const width = last - base + 1;
  if (width > SPARSE * blocks) return undefined;
  const all = new Uint32Array(width);
  for (let i = 0; i < firsts.length; i++) all.fill(documents[i]!, firsts[i]! - base, lasts[i]! - base + 1);
  return all;
}

/** Joins the runs of neighbouring segments, without the dead numbers (ascending). */
export function joinRuns(parts: readonly DocumentRuns[], dead: Uint32Array): Uint8Array {
  const joined: Run[] = [];
  for (const runs of parts) {
    for (let i = 0; i < runs.firsts.length; i++) {
      const last = runs.lasts[i]!;
      const document = runs.documents[i]!;
      let first = runs.firsts[i]!;
      for (let at = lowerBound(dead, first); at < dead.length && dead[at]! <= last; at++) {
        extendRuns(joined, first, dead[at]! - 1, document);
        first = dead[at]! + 1;
      }
      extendRuns(joined, first, last, document);
    }
  }
  return encodeRuns(joined);
}
