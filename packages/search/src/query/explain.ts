import { bestExplainer } from "../best/explain-best.ts";
import { averageLength, B, boostOf, contribution, inverseFrequency, K1, lengthNorm, type Statistics } from "./bm25.ts";
import type { Query } from "./query.ts";
import type { Hit } from "./result-page.ts";

/**
 * Writes the `SearchExplanation` of a hit: everything needed to compute its score again, with contributions that add up
 * to it. The part that all hits of a result share is computed and written once.
 */
export function explainer(query: Query, statistics: Statistics): (hit: Explained) => string {
  const inBest = query.match === "best" ? bestExplainer(query, statistics) : undefined;
  const average = averageLength(statistics);
  const shared = `"average_length":${average},"n":${statistics.n},"boost":`;
  const terms = query.required.map(({ text, indexed, kind }, i) => {
    const df = statistics.df[i]!;
    const idf = inverseFrequency(statistics.n, df);
    const named = `{"term":${JSON.stringify(text)},"indexed":${JSON.stringify(indexed)},"kind":"${kind}","tf":`;
    return { idf, named, frequency: `,"df":${df},"idf":${idf},"length_norm":` };
  });
  const write = ({ field, length, tf }: Explained): string => {
    const boost = boostOf(field);
    const own = `"field":"${field}","weight":1,"presence":0,`;
    const norm = lengthNorm(length, average);
    let parts = "";
    for (const [i, { idf, named, frequency }] of terms.entries()) {
      const part = contribution(idf, tf[i]!, norm, boost);
      parts += `${i > 0 ? "," : ""}{${own}${named.slice(1)}${tf[i]}${frequency}${norm},"contribution":${part}}`;
    }
    return `{"model":"bm25","k1":${K1},"b":${B},"field":"${field}","length":${length},${shared}${boost},"terms":[${parts}]}`;
  };
  let last: Explained | undefined;
  let written = "";
  return (hit) => {
    if (inBest && hit.context) return inBest(hit, hit.context);
    if (!last || !isAlike(last, hit)) written = write(hit);
    last = hit;
    return written;
  };
}

type Explained = Pick<Hit, "field" | "length" | "tf"> & Partial<Pick<Hit, "boost" | "context">>;

/** Hits are ordered by score, so those with the same explanation are consecutive. */
const isAlike = (a: Explained, b: Explained): boolean =>
  a.field === b.field && a.length === b.length && a.tf.every((times, i) => times === b.tf[i]);
