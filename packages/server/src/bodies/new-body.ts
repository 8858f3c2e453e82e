import { tooLarge } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import { mapInTurns } from "../db/transaction/yield-to-writers.ts";
import { uniqueEntries, versionOf } from "./manifest.ts";
import { renderSegment, type SegmentTexts, writeTexts } from "./renderings.ts";
import { recut, Segment } from "./segment.ts";
import { type SourceTexts, sourceBeside, sourceTexts } from "./source-texts.ts";

/** A body of new blocks in its stored form. It depends on the blocks alone, so another thread can make it. */
export interface NewBody {
  readonly version: string;
  /** Code points of text. */
  readonly characters: number;
  readonly segments: readonly Segment[];
  /** The texts of each segment, once per segment. */
  readonly texts: readonly SegmentTexts[];
  readonly source: SourceTexts | undefined;
}

/** `source` is the Markdown that the blocks come from. */
export function newBody(blocks: readonly Node[], source: string | undefined, maxCharacters: number): NewBody {
  const segments = recut([], [], blocks);
  const characters = segments.reduce((sum, segment) => sum + segment.characters, 0);
  if (characters > maxCharacters) throw tooLarge(maxCharacters, characters);
  const version = versionOf(segments);
  const kept = sourceBeside(source, blocks);
  const rendered = uniqueEntries(segments).map((segment) => renderSegment(segment, kept !== undefined));
  return {
    version,
    characters,
    segments,
    texts: rendered.map(writeTexts),
    source: kept && sourceTexts({ version, blocks, segments, rendered }, kept),
  };
}

/** Restores a body from another thread: the private members of classes are not transferred. */
export const fromThread = (body: NewBody): NewBody => ({
  ...body,
  segments: body.segments.map(({ hash, count, json }) => new Segment(hash, count, json)),
});

/** A new body for an existing document, made before the transaction. */
export interface MadeBody extends NewBody {
  readonly blocks: readonly Node[];
}

export const withBlocks = async (body: NewBody): Promise<MadeBody> => ({
  ...body,
  blocks: (await mapInTurns(body.segments, (segment) => segment.blocks)).flat(),
});
