import type { Node } from "@svc/document/types";
import { type BuiltSegment, buildSegment } from "@svc/search/segment/segment-build";
import { NO_SECTION, sectionsOf } from "@svc/search/text/outline";
import { searchableBlocks } from "@svc/search/text/searchable";
import type { SearchBlockRow } from "../../../db/schema/tables/search.ts";

/** A block's text and the id of the heading above it. */
export type PlacedText = { readonly text: string; readonly section: string };

/** `blockId` is empty for the title. */
export type BlockText = PlacedText & { readonly blockId: string };

/** The changes to one document's blocks. A changed block is removed and added. */
export type DocumentBlocks = {
  readonly document: number;
  readonly added: readonly BlockText[];
  readonly removed: readonly SearchBlockRow[];
};

/** All texts of a document, the title first. */
export function textsOf(title: string, blocks: readonly Node[]): BlockText[] {
  const texts: BlockText[] = [{ blockId: "", text: title, section: NO_SECTION }];
  const sections = sectionsOf(blocks);
  for (const [i, block] of blocks.entries())
    for (const { id, text } of searchableBlocks([block]))
      texts.push({ blockId: id, text, section: sections[i] ?? NO_SECTION });
  return texts;
}

/** Prepares the added blocks as far as possible without the index, and so without its lock. */
export const buildTexts = (changes: readonly Pick<DocumentBlocks, "added">[]): BuiltSegment =>
  buildSegment(
    changes.flatMap(({ added }) =>
      added.map(({ blockId, text }) => ({ field: blockId === "" ? ("title" as const) : ("content" as const), text })),
    ),
  );

/** The changes without removed blocks of an older epoch, which the index does not hold. */
export const sinceEpoch = (changes: readonly DocumentBlocks[], epochBase: number): DocumentBlocks[] =>
  changes.map((change) => ({ ...change, removed: change.removed.filter(({ number }) => number >= epochBase) }));
