import type { Field } from "../segment/segment-format.ts";

export const K1 = 1.2;
export const B = 0.75;
/** The weight of a title hit relative to a body hit. */
export const TITLE_BOOST = 2;

/** Statistics of the workspace, before any filter; `df` in the order of the query's required units. */
export type Statistics = { readonly n: number; readonly totalLength: number; readonly df: readonly number[] };

export const averageLength = ({ n, totalLength }: Pick<Statistics, "n" | "totalLength">): number =>
  n > 0 ? totalLength / n : 0;

/** Above zero even for a word that every block contains. */
export const inverseFrequency = (n: number, df: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));

export const lengthNorm = (length: number, average: number): number => 1 - B + B * (average > 0 ? length / average : 0);

export const boostOf = (field: Field): number => (field === "title" ? TITLE_BOOST : 1);

export const contribution = (idf: number, tf: number, norm: number, boost: number): number =>
  (boost * idf * tf * (K1 + 1)) / (tf + K1 * norm);
