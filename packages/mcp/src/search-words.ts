import type { Client } from "@svc/sdk";

/** Words that carry no meaning in a question. */
const COMMON = new Set(
  "a an and are at be by can do does for from how i in is it me my of on or our the this that to was we what when where which who why with you".split(
    " ",
  ),
);
const MOST_WORDS = 8;

export const wordsIn = (query: string): string[] => [
  ...new Set(query.toLowerCase().match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}]|[\p{L}\p{N}]/gu) ?? []),
];

/** Other forms to try for a word that stands nowhere: without its ending, then as the beginning of a word. */
function formsOf(word: string): string[] {
  if (word.length < 4) return [];
  const stem = word.replace(/(?:ies|es|s|ing|ed)$/, "");
  const begun = [stem, word.slice(0, Math.max(4, Math.floor(word.length * 0.7)))].filter((form) => form.length >= 3);
  return [...new Set(begun)].map((form) => `${form}*`);
}

export interface Relaxed {
  /** What is looked for instead. */
  readonly query: string;
  readonly missing: readonly string[];
}

type Filter = Readonly<Record<string, unknown>>;

/** A question whose words do not all stand in one block: as many of them as do, and which were left out. */
export async function relax(client: Client, query: string, filter: Filter): Promise<Relaxed | undefined> {
  const all = wordsIn(query);
  const meaningful = all.filter((word) => !COMMON.has(word));
  const words = (meaningful.length > 0 ? meaningful : all).slice(0, MOST_WORDS);
  const counted = await Promise.all(words.map((word) => countWord(client, word, filter)));
  const found = counted.filter(({ count }) => count > 0);
  const missing = counted.filter(({ count }) => count === 0).map(({ word }) => word);
  // The rarest words say the most: the commonest go first.
  const kept = found.toSorted((a, b) => a.count - b.count);
  const dropped: string[] = [];
  while (kept.length > 0) {
    const tried = kept.map(({ form }) => form).join(" ");
    if ((await count(client, tried, filter)) > 0) return { query: tried, missing: [...missing, ...dropped] };
    dropped.push(kept.pop()!.word);
  }
  return undefined;
}

async function countWord(client: Client, word: string, filter: Filter) {
  for (const form of [word, ...formsOf(word)]) {
    const found = await count(client, form, filter);
    if (found > 0) return { word, form, count: found };
  }
  return { word, form: word, count: 0 };
}

const count = async (client: Client, q: string, filter: Filter): Promise<number> =>
  (await client.get("/search/v2", { query: { q, ...filter, limit: 1 } })).hits.total;
