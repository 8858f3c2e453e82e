import type { WordLists } from "../best/lists.ts";
import type { Statistics } from "./bm25.ts";
import type { HitCounts } from "./document-filter.ts";
import type { Matches } from "./matches.ts";

/** Every match of a query in one state of the index, by segment, ascending; segments without matches are omitted. */
export type Evaluation = {
  readonly matches: readonly Matches[];
  /** Instead of `matches`, which are empty then: for the best hits of a query without conditions. */
  readonly lists?: WordLists;
  /** With `match=best`: the document of each match, by segment. */
  readonly documents?: readonly Uint32Array[];
  readonly counts: HitCounts & { readonly all_words: number };
  readonly statistics: Statistics;
};

/** Called between steps; yields when it is time. */
export type Pause = () => Promise<void> | undefined;
