import { inverseFrequency, type Statistics } from "../query/bm25.ts";
import type { Query } from "../query/query.ts";
import type { Hit } from "../query/result-page.ts";

/**
 * The share of the query's words that a hit has in itself, its headings or its title, weighted by how rare they are.
 * Function words do not count, so a query of nothing else has none.
 */
export function coverageOf(query: Query, { n, df }: Statistics, { tf, context }: Pick<Hit, "tf" | "context">): number {
  const all = context ? context.headings | context.title : 0;
  let present = 0;
  let total = 0;
  for (const [u, { isFunctionWord }] of query.required.entries()) {
    if (isFunctionWord) continue;
    const idf = inverseFrequency(n, df[u] ?? 0);
    total += idf;
    if ((tf[u] ?? 0) > 0 || all & (1 << u)) present += idf;
  }
  return total > 0 ? present / total : 0;
}
