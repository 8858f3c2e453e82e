import { defined } from "@svc/document/defined";
import { averageLength, B, K1, type Statistics } from "../query/bm25.ts";
import type { Query } from "../query/query.ts";
import type { Hit, HitContext } from "../query/result-page.ts";
import {
  functionWordsOf,
  HEADING_WEIGHT,
  PRESENCE_WEIGHT,
  SECTION_WEIGHT,
  saturated,
  TITLE_WEIGHT,
  Weights,
} from "./weights.ts";

type Explained = Pick<Hit, "field" | "length" | "tf"> & Partial<Pick<Hit, "boost">>;

/** Writes the `SearchExplanation` of a hit with its context: one item for each word and each place that has it. */
export function bestExplainer(query: Query, statistics: Statistics) {
  const weights = new Weights(statistics, functionWordsOf(query));
  const average_length = averageLength(statistics);
  return ({ field, length, tf, boost = 1 }: Explained, context: HitContext): string => {
    const norm = weights.blockNorm(length);
    const terms = query.required.flatMap(({ text, indexed, kind }, u) => {
      const idf = defined(weights.idf[u]);
      const bit = 1 << u;
      const df = defined(statistics.df[u]);
      let presence = weights.functionWords & bit ? 0 : PRESENCE_WEIGHT;
      const items: object[] = [];
      const add = (place: string, weight: number, count: number, length_norm: number) => {
        const contribution = boost * idf * (weight * saturated(count, length_norm) + presence);
        items.push({
          ...{ term: text, indexed, kind, field: place, weight, presence },
          ...{ tf: count, df, idf, length_norm, contribution },
        });
        presence = 0;
      };
      const own = tf[u] ?? 0;
      if (own > 0) add(field, 1, own, norm);
      if (context.headings & bit) add("heading", HEADING_WEIGHT, 1, 1);
      if (context.title & bit) add("title", TITLE_WEIGHT, 1, 1);
      presence = 0;
      if (context.section & bit) add("section", SECTION_WEIGHT, 1, 1);
      return items;
    });
    return JSON.stringify({
      model: "bm25",
      k1: K1,
      b: B,
      field,
      length,
      average_length,
      n: statistics.n,
      boost,
      terms,
    });
  };
}

/** Punctuation around a word, such as the mark at the end of a question. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * The words of the query that are neither in a hit nor in its headings or its document's title. Function words are left
 * out: nobody looks for them.
 */
export const missingWords = (query: Query, { tf, context }: Pick<Hit, "tf" | "context">): string[] =>
  query.required.flatMap(({ text, isFunctionWord }, u) =>
    isFunctionWord || (tf[u] ?? 0) > 0 || (context && (context.headings | context.title) & (1 << u))
      ? []
      : [text.replace(AROUND, "") || text],
  );
