import { advance } from "../segment/posting-list.ts";
import { type Field, fieldOfCode, lengthOfCode } from "../segment/segment-format.ts";
import { boostOf, type Statistics } from "./bm25.ts";
import type { Matches } from "./matches.ts";
import { newReach, nextReaching, Scorer } from "./scores.ts";
import { compareKeys, TopHits, type TopKey } from "./top-hits.ts";

/** The part of a hit's score that does not come from its own words. */
export type HitContext = {
  /** Bits of the units in the heading path, in the document's title, and in any block of the section. */
  readonly headings: number;
  readonly title: number;
  readonly section: number;
};

/** `tf` in the order of the query's required units. */
export type Hit = TopKey & {
  readonly field: Field;
  readonly length: number;
  readonly tf: readonly number[];
  /** The factor of all contributions to the score. */
  readonly boost: number;
  /** With `match=best`. */
  readonly context?: HitContext;
};

/** `more`: there are hits after this page. */
export type ResultPage = { readonly hits: readonly Hit[]; readonly more: boolean };

function hitAt({ numbers, codes, frequencies }: Matches, i: number, score: number, pinned: boolean): Hit {
  const code = codes[i]!;
  const field = fieldOfCode(code);
  const tf = frequencies.map((column) => column[i]!);
  const title = field === "title";
  return { pinned, score, title, number: numbers[i]!, field, length: lengthOfCode(code), tf, boost: boostOf(field) };
}

const firstOf = (hits: readonly Hit[], limit: number): ResultPage => ({
  hits: hits.slice(0, limit),
  more: hits.length > limit,
});

/** The best hits after `after`; `matches` by segment, ascending. */
export function topPage(
  matches: readonly Matches[],
  statistics: Statistics,
  limit: number,
  after: TopKey | undefined,
  pinned: ReadonlySet<number>,
): ResultPage {
  const top = new TopHits<Hit>(limit + 1);
  const offer = { top, scorer: new Scorer(statistics), after, pinned };
  for (const some of matches) {
    const isLong = some.size >= LONG_LIST && some.frequencies.length === 1 && pinned.size === 0;
    (isLong ? offerBest : offerAll)(offer, some);
  }
  return firstOf(top.sorted(), limit);
}

type Offer = {
  readonly top: TopHits<Hit>;
  readonly scorer: Scorer;
  readonly after: TopKey | undefined;
  readonly pinned: ReadonlySet<number>;
};

/** From this length on, a list of a one-unit query is only partly scored. */
const LONG_LIST = 512;

function offerAll(offer: Offer, matches: Matches): void {
  const { top, scorer, after, pinned } = offer;
  const { numbers, size } = matches;
  const hasPinned = pinned.size > 0;
  const ceiling = ceilingOf(after);
  const scores = scorer.scores(matches);
  let threshold = top.threshold;
  for (let i = 0; i < size; i++) {
    const score = scores[i]!;
    const isPinned = hasPinned && pinned.has(numbers[i]!);
    if (!isPinned && (score < threshold || score > ceiling)) continue;
    const hit = hitAt(matches, i, score, isPinned);
    if (after && compareKeys(after, hit) >= 0) continue;
    top.offer(hit);
    threshold = top.threshold;
  }
}

/** The score of the last hit of the previous page, which no later hit exceeds. */
const ceilingOf = (after: TopKey | undefined): number => (after && !after.pinned ? after.score : Infinity);

/** For a query of one unit: scores only the blocks that may be among the first. */
function offerBest({ top, scorer, after }: Offer, matches: Matches): void {
  const { codes, size } = matches;
  const ceiling = ceilingOf(after);
  let threshold = top.threshold;
  const longest = newReach();
  scorer.reach(threshold, longest);
  for (let i = nextReaching(matches, 0, longest); i < size; i = nextReaching(matches, i + 1, longest)) {
    const score = scorer.scoreAt(matches, i);
    // Among equal scores the earlier block comes first, unless this is a title.
    if (score < threshold || score > ceiling || (score === threshold && (codes[i]! & 1) === 0)) continue;
    const hit = hitAt(matches, i, score, false);
    if (after && compareKeys(after, hit) >= 0) continue;
    top.offer(hit);
    if (top.threshold === threshold) continue;
    threshold = top.threshold;
    scorer.reach(threshold, longest);
  }
}

/** The hits after block number `after`, in index order; `matches` by segment, ascending. */
export function numberPage(
  matches: readonly Matches[],
  statistics: Statistics,
  limit: number,
  after: number,
): ResultPage {
  const scorer = new Scorer(statistics);
  const hits: Hit[] = [];
  for (const some of matches) {
    const { numbers, size } = some;
    if (size === 0 || numbers[size - 1]! <= after) continue;
    for (let i = advance(numbers, size, 0, after + 1); i < size && hits.length <= limit; i++)
      hits.push(hitAt(some, i, scorer.scoreAt(some, i), false));
  }
  return firstOf(hits, limit);
}
