import { averageLength, b, boostOf, contribution, inverseFrequency, k1, lengthNorm, type Statistics } from "./bm25.ts";
import type { Query, Unit } from "./query.ts";
import type { Hit } from "./result-page.ts";
import type { Field } from "./segment-format.ts";

export type TermExplanation = {
  /** As typed. */
  term: string;
  indexed: string;
  kind: Unit["kind"];
  tf: number;
  df: number;
  idf: number;
  length_norm: number;
  contribution: number;
};

/** Everything needed to compute the score again; the contributions add up to it. */
export type Explanation = {
  model: "bm25";
  k1: number;
  b: number;
  field: Field;
  length: number;
  average_length: number;
  n: number;
  boost: number;
  terms: TermExplanation[];
};

export function explain(query: Query, hit: Hit, statistics: Statistics): Explanation {
  const average = averageLength(statistics);
  const boost = boostOf(hit.field);
  const norm = lengthNorm(hit.length, average);
  const terms = query.required.map((unit, i) => {
    const tf = hit.tf[i]!;
    const df = statistics.df[i]!;
    const idf = inverseFrequency(statistics.n, df);
    return {
      term: unit.text,
      indexed: unit.indexed,
      kind: unit.kind,
      tf,
      df,
      idf,
      length_norm: norm,
      contribution: contribution(idf, tf, norm, boost),
    };
  });
  return {
    model: "bm25",
    k1,
    b,
    field: hit.field,
    length: hit.length,
    average_length: average,
    n: statistics.n,
    boost,
    terms,
  };
}
