import { ApiError } from "../../errors.ts";
import type { Answer } from "../../http/answer.ts";
import type { Services } from "../../services.ts";
import type { SearchInput } from "./schema.ts";
import { search, searchPage } from "./search.ts";

/** Words that carry no meaning in a question. */
const COMMON = new Set(
  "a an and are at be by can do does for from how i in is it me my of on or our the this that to was we what when where which who why with you".split(
    " ",
  ),
);
/** Each word costs a few searches. */
const MOST_WORDS = 8;

const EXCLUSION = /(?<!\S)-(?:"[^"]*"|\S+)/g;
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}]|[\p{L}\p{N}]/gu;

/** The words to look for; where there are others, without those that every text has. */
function wordsIn(q: string): string[] {
  const all = [...new Set(q.replace(EXCLUSION, " ").toLowerCase().match(WORD) ?? [])];
  const meaningful = all.filter((word) => !COMMON.has(word));
  return (meaningful.length > 0 ? meaningful : all).slice(0, MOST_WORDS);
}

/** Other forms to try for a word that stands nowhere: without its ending, then as the beginning of a word. */
function formsOf(word: string): string[] {
  if (word.length < 4) return [];
  const stem = word.replace(/(?:ies|es|s|ing|ed)$/, "");
  const begun = [stem, word.slice(0, Math.max(4, Math.floor(word.length * 0.7)))].filter((form) => form.length >= 3);
  return [...new Set(begun)].map((form) => `${form}*`);
}

interface Partial {
  /** What was looked for instead. */
  readonly q: string;
  readonly missing: readonly string[];
}

type Count = (q: string) => Promise<number>;

/** As many of the words as stand together in one block, the rarest kept longest; undefined where there is none. */
async function relax(q: string, count: Count): Promise<Partial | undefined> {
  const counted = [];
  for (const word of wordsIn(q)) counted.push(await countWord(word, count));
  const missing = counted.filter(({ hits }) => hits === 0).map(({ word }) => word);
  const kept = counted.filter(({ hits }) => hits > 0).toSorted((a, b) => a.hits - b.hits);
  const exclusions = q.match(EXCLUSION) ?? [];
  while (kept.length > 0) {
    const tried = [...kept.map(({ form }) => form), ...exclusions].join(" ");
    if ((await count(tried)) > 0) return { q: tried, missing };
    missing.push(kept.pop()?.word ?? "");
  }
  return undefined;
}

async function countWord(word: string, count: Count) {
  for (const form of [word, ...formsOf(word)]) {
    const hits = await count(form);
    if (hits > 0) return { word, form, hits };
  }
  return { word, form: word, hits: 0 };
}

/** A page of hits; where no block has all the words, of those that have as many as possible, and which are missing. */
export async function partialPage(app: Services, workspaceId: string, input: SearchInput): Promise<Answer> {
  const { partial: _, ...asked } = input;
  const all = await searchPage(app, workspaceId, asked).catch((error: unknown) => {
    // A cursor of the second page of a partial answer belongs to the query that was looked for instead.
    if (asked.cursor !== undefined && isRefusal(error, "cursor_mismatch")) return undefined;
    throw error;
  });
  if (all && (hitsOf(all) > 0 || asked.cursor !== undefined)) return withPartial(all, null);
  const { cursor: _cursor, mode: _mode, include_summary: _summary, ...filter } = asked;
  const count = (q: string) => countHits(app, workspaceId, { ...filter, q, limit: 1 });
  const found = await relax(asked.q, count);
  if (!found) return withPartial(all ?? (await searchPage(app, workspaceId, asked)), null);
  return withPartial(await searchPage(app, workspaceId, { ...asked, q: found.q }), found);
}

const isRefusal = (error: unknown, code: ApiError["code"]): boolean => error instanceof ApiError && error.code === code;

/** A form that cannot be looked for, such as the beginning of too many words, has none. */
const countHits = async (app: Services, workspaceId: string, input: SearchInput): Promise<number> => {
  try {
    return (await search(app, workspaceId, input)).result.counts.total;
  } catch (error) {
    if (isRefusal(error, "invalid_request")) return 0;
    throw error;
  }
};

const hitsOf = ({ envelope }: Answer): number => (envelope as { hits: { total: number } }).hits.total;

const withPartial = (answer: Answer, partial: Partial | null): Answer => ({
  ...answer,
  envelope: { ...answer.envelope, partial },
});
