import { type BuiltSegment, buildSegment } from "@svc/search/segment/segment-build";
import type { SearchBlockRow } from "../../../db/schema/tables/search.ts";

/** `blockId` is empty for the title. */
export type BlockText = { readonly blockId: string; readonly text: string };

/** What happens to one document's blocks. A block that changes is removed and added. */
export type DocumentBlocks = {
  readonly document: number;
  readonly added: readonly BlockText[];
  readonly removed: readonly SearchBlockRow[];
};

/** The work on the added blocks that needs nothing of the index, and so no lock. */
export const buildTexts = (changes: readonly Pick<DocumentBlocks, "added">[]): BuiltSegment =>
  buildSegment(
    changes.flatMap(({ added }) =>
      added.map(({ blockId, text }) => ({ field: blockId === "" ? ("title" as const) : ("content" as const), text })),
    ),
  );

/** The changes without removed blocks of an older epoch: the index holds nothing of those. */
export const sinceEpoch = (changes: readonly DocumentBlocks[], epochBase: number): DocumentBlocks[] =>
  changes.map((change) => ({ ...change, removed: change.removed.filter(({ number }) => number >= epochBase) }));
