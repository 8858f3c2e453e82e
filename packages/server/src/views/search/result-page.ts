import type { Statistics } from "./bm25.ts";
import type { Matches } from "./matches.ts";
import { advance } from "./posting-list.ts";
import { Scorer } from "./scores.ts";
import { type Field, fieldOfCode, lengthOfCode } from "./segment-format.ts";
import { compareKeys, TopHits, type TopKey } from "./top-hits.ts";

/** `tf` in the order of the query's required units. */
export type Hit = TopKey & { readonly field: Field; readonly length: number; readonly tf: readonly number[] };

/** `more`: hits follow the last one of this page. */
export type ResultPage = { readonly hits: readonly Hit[]; readonly more: boolean };

function hitAt({ numbers, codes, frequencies }: Matches, i: number, score: number, pinned: boolean): Hit {
  const code = codes[i]!;
  const field = fieldOfCode(code);
  const tf = frequencies.map((column) => column[i]!);
  return { pinned, score, title: field === "title", number: numbers[i]!, field, length: lengthOfCode(code), tf };
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
  const scorer = new Scorer(statistics);
  const top = new TopHits<Hit>(limit + 1);
  for (const some of matches) offerAll(top, some, scorer, after, pinned);
  return firstOf(top.sorted(), limit);
}

function offerAll(
  top: TopHits<Hit>,
  matches: Matches,
  scorer: Scorer,
  after: TopKey | undefined,
  pinned: ReadonlySet<number>,
): void {
  const { numbers, size } = matches;
  const hasPinned = pinned.size > 0;
  const ceiling = after && !after.pinned ? after.score : Infinity;
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
