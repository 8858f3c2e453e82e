import { defined } from "@svc/document/defined";
import { averageLength, boostOf, contribution, inverseFrequency, lengthNorm } from "../query/bm25.ts";
import type { Query, Slot, Unit } from "../query/query.ts";
import type { Field } from "../segment/segment-format.ts";
import { type Token, tokenize } from "../text/tokenizer.ts";

export type ReferenceBlock = { number: number; document: number; field: Field; text: string };
type ReferenceHit = { number: number; document: number; field: Field; score: number; tf: number[] };

const fills = (token: Token, slot: Slot): boolean =>
  slot.prefix ? token.term.startsWith(slot.term) : token.term === slot.term;

/** Counts a unit in a text by checking every position. */
function frequency(tokens: readonly Token[], { slots }: Unit): number {
  if (slots.length === 1) return tokens.filter((token) => fills(token, defined(slots[0]))).length;
  const length = (tokens.at(-1)?.position ?? -1) + 1;
  let count = 0;
  for (let start = 0; start < length; start++) {
    const stands = slots.every((slot) =>
      tokens.some((token) => token.position === start + slot.offset && fills(token, slot)),
    );
    if (stands) count++;
  }
  return count;
}

/** BM25 by scanning all texts, in `topk` order. */
export function referenceSearch(
  blocks: Iterable<ReferenceBlock>,
  query: Query,
  accepts: (document: number) => boolean = () => true,
): ReferenceHit[] {
  const scanned = [...blocks].map((block) => {
    const tokens = tokenize(block.text);
    return { block, tokens, length: (tokens.at(-1)?.position ?? -1) + 1 };
  });
  const indexed = scanned.filter(({ length }) => length > 0);
  const rows = indexed.map(({ block, tokens, length }) => ({
    block,
    length,
    tf: query.required.map((unit) => frequency(tokens, unit)),
    isExcluded: query.excluded.some((unit) => frequency(tokens, unit) > 0),
  }));
  const n = indexed.length;
  const average = averageLength({ n, totalLength: indexed.reduce((sum, { length }) => sum + length, 0) });
  const idf = query.required.map((_, i) => inverseFrequency(n, rows.filter((row) => defined(row.tf[i]) > 0).length));
  return rows
    .filter((row) => !row.isExcluded && row.tf.every((tf) => tf > 0) && accepts(row.block.document))
    .map(({ block: { number, document, field }, length, tf }) => {
      const norm = lengthNorm(length, average);
      const score = tf.reduce((sum, count, i) => sum + contribution(defined(idf[i]), count, norm, boostOf(field)), 0);
      return { number, document, field, score, tf };
    })
    .sort(
      (a, b) => b.score - a.score || Number(b.field === "title") - Number(a.field === "title") || a.number - b.number,
    );
}
