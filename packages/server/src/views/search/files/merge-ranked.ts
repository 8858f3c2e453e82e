import type { Hit } from "@svc/search/query/result-page";

type Ranked = { readonly hit: Pick<Hit, "pinned" | "score"> };

/**
 * Merges two ranked lists by score. Each keeps its own order, which is not always that of the scores: a heading stands
 * behind the best text of its section. Documents whose title is the query stay first.
 */
export function mergeRanked<T extends Ranked>(documents: readonly T[], files: readonly T[]): T[] {
  const merged: T[] = [];
  let at = 0;
  for (const document of documents) {
    while (!document.hit.pinned && at < files.length && (files[at]?.hit.score ?? 0) > document.hit.score)
      merged.push(...files.slice(at, ++at));
    merged.push(document);
  }
  return [...merged, ...files.slice(at)];
}
