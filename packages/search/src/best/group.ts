import type { Evaluation, Pause } from "../query/evaluation.ts";
import { compareKeys, TopHits, type TopKey } from "../query/top-hits.ts";
import { type BestRequest, rankDocuments } from "./rank.ts";
import type { BestHit } from "./score-document.ts";

/** A document with its best hits. It ranks where its first hit does. */
export type Group = TopKey & {
  /** The best first, at most `HITS_SHOWN`. */
  readonly hits: readonly BestHit[];
  /** All of the document's hits. */
  readonly count: number;
};

type GroupPage = { readonly groups: readonly Group[]; readonly more: boolean };

const HITS_SHOWN = 3;

/** The best documents after `afterKey`. */
export async function groupPage(found: Evaluation, request: BestRequest, pause: Pause): Promise<GroupPage> {
  const { limit, afterKey } = request;
  const top = new TopHits<Group>(limit + 1);
  const collector = {
    offer(scored: readonly BestHit[]) {
      const sorted = scored.toSorted(compareKeys);
      const [first] = sorted;
      if (!first || (afterKey && compareKeys(afterKey, first) >= 0)) return;
      const { pinned, score, title, number } = first;
      top.offer({ pinned, score, title, number, hits: sorted.slice(0, HITS_SHOWN), count: sorted.length });
    },
    get threshold() {
      return top.threshold;
    },
  };
  await rankDocuments(found, request, collector, pause);
  const groups = top.sorted();
  return { groups: groups.slice(0, limit), more: groups.length > limit };
}
