import { tokenize } from "../text/tokenizer.ts";
import { contribution, inverseFrequency, lengthNorm } from "./bm25.ts";

/**
 * Returns the indexes of the texts that contain any of the query's words, best first, scored as if these texts were the
 * whole index. For choosing among a few given texts; stores nothing.
 */
export function rankTexts(query: string, texts: readonly string[]): number[] {
  const wanted = new Set(tokenize(query).map((token) => token.term));
  const counted = texts.map((text) => countTerms(text, wanted));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const idf = new Map(
    [...wanted].map((term) => [
      term,
      inverseFrequency(texts.length, counted.filter(({ counts }) => counts.has(term)).length),
    ]),
  );
  const scores = counted.map(({ counts, length }) => {
    const norm = lengthNorm(length, average);
    return [...counts].reduce((sum, [term, tf]) => sum + contribution(idf.get(term)!, tf, norm, 1), 0);
  });
  return [...scores.keys()].filter((index) => scores[index]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
}

function countTerms(text: string, wanted: ReadonlySet<string>): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  const tokens = tokenize(text);
  for (const { term } of tokens) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: tokens.length };
}
