import type { DatabaseSync } from "node:sqlite";
import { defined } from "@svc/document/defined";
import type { Query } from "@svc/search/query/query";
import { runSearch } from "@svc/search/query/run-search";
import { Budget } from "@svc/server/cache/budget";
import { indexCachesWithin } from "@svc/server/views/search/cache/index-caches";
import { StoredIndex } from "@svc/server/views/search/read/stored-index";
import { fts5Expression, median } from "./corpus.ts";
import { at, row, spent, times } from "./figures.ts";
import { type BenchWorkspace, isQuery, queryOf } from "./store.ts";

/** Top ten and exact counts without the texts of the hits, evaluated each time: what FTS5 is measured with. */
export function topOf({ services: { database }, workspaceId }: BenchWorkspace) {
  const caches = indexCachesWithin(new Budget(512 * 2 ** 20));
  return (query: Query) =>
    database.snapshot(async (db) => {
      const index = new StoredIndex(db, workspaceId);
      const result = await runSearch(index, caches, query, await index.readCounters(), { mode: "topk", limit: 10 });
      if ("error" in result) throw new Error(result.error);
      return result;
    });
}

/** What is wanted of a kind of query at a million blocks, as a share of FTS5's time or in milliseconds. */
const goals: Readonly<Record<string, { readonly share: number; readonly ms?: number; readonly p95?: number }>> = {
  rare: { share: 2, ms: 0.3 },
  medium: { share: 2, ms: 0.3 },
  "common 1": { share: 1 / 20, p95: 1 / 25 },
  "common 2": { share: 1 / 5 },
  "common 3": { share: 1 / 5 },
};

/** Of times in ascending order. */
function goalOf(name: string, ours: readonly number[], theirs: readonly number[]): [text: string, isMet?: boolean] {
  const goal = goals[name];
  if (!goal) return [""];
  const [own, other] = [at(ours, 0.5), at(theirs, 0.5)];
  const share = goal.share < 1 ? `1/${1 / goal.share}` : `${goal.share} ×`;
  const more = (goal.ms ? ` or ${goal.ms} ms` : "") + (goal.p95 ? `, p95 ≤ 1/${1 / goal.p95}` : "");
  const isTailMet = !goal.p95 || at(ours, 0.95) <= goal.p95 * at(theirs, 0.95);
  return [`≤ ${share} of FTS5${more}`, own <= Math.max(goal.share * other, goal.ms ?? 0) && isTailMet];
}

/** The most that building a whole answer takes when its documents are in caches. */
const buildingMs = 1;

/** Every kind of query, against FTS5's best ten without a count; then what the whole answer takes. */
export async function compareQueries(
  big: BenchWorkspace,
  queries: Readonly<Record<string, readonly string[]>>,
  fts5: DatabaseSync,
): Promise<void> {
  const top = topOf(big);
  const best = fts5.prepare("select rowid, rank from f where f match ? order by rank limit 10");
  const whole: Record<"first" | "again", number[]> = { first: [], again: [] };
  for (const [name, asked] of Object.entries(queries)) {
    const [first, ours, theirs]: [number[], number[], number[]] = [[], [], []];
    let hits = 0;
    for (const text of asked.filter(isQuery)) {
      const query = queryOf(text);
      const expression = fts5Expression(query);
      const cold = await spent(async () => (hits += (await top(query)).counts.total));
      first.push(cold);
      whole.first.push((await spent(() => big.answer(text))) - cold);
      ours.push(median(await times(7, () => top(query))));
      theirs.push(median(await times(7, async () => best.all(expression))));
      whole.again.push(median(await times(7, () => big.answer(text))));
    }
    const [cold, own, other] = [median(first), median(ours), median(theirs)];
    const mean = Math.round(hits / Math.max(1, ours.length));
    const tails = `p95 ${at(ours, 0.95).toFixed(2)} and ${at(theirs, 0.95).toFixed(2)}`;
    row(
      `${name}, ${mean} hits`,
      `${own.toFixed(2)} ms, FTS5 ${other.toFixed(2)}: 1/${(other / own).toFixed(1)} (${tails}); first time ${cold.toFixed(1)} ms`,
      ...goalOf(name, ours, theirs),
    );
  }
  const again = median(whole.again);
  row(
    "a whole answer of ten hits, asked again",
    `${again.toFixed(2)} ms`,
    `≤ ${buildingMs} ms to build`,
    again <= buildingMs,
  );
  row(
    "what a whole answer adds to finding its hits when nothing of their documents is in caches",
    `${median(whole.first).toFixed(2)} ms`,
  );
}

/** Words that begin alike: two, three and four letters of words of every frequency. */
export const prefixesOf = (words: readonly string[]): string[] =>
  [2, 3, 4].flatMap((letters) => words.slice(0, 5).map((word) => `${word.slice(0, letters)}*`));

/** Hits of the walk that the goal is set for, and what it may take. */
const walk = { hits: 118_000, ms: 1000 };

/** Every hit of a word in pages of a hundred: found and counted alone, and as whole answers. */
export async function measureWalk(big: BenchWorkspace, word: string): Promise<void> {
  for (const [what, pages, hits] of [
    ["found and counted", ...(await walkFound(big, queryOf(word)))],
    ["as whole answers", ...(await walkAnswers(big, word))],
  ] as const) {
    const [first = 0, ...others] = pages;
    const rest = others.reduce((sum, ms) => sum + ms, 0);
    const total = first + rest;
    const scaled = first + (rest / Math.max(1, others.length)) * (walk.hits / 100);
    const isFound = what === "found and counted";
    row(
      `exhaustive walk of ${hits} hits, ${what}`,
      `${total.toFixed(0)} ms, the first page ${first.toFixed(1)}; one of ${walk.hits} would take ${scaled.toFixed(0)}`,
      isFound ? `≤ ${walk.ms} ms for ${walk.hits}` : "",
      isFound ? scaled <= walk.ms : undefined,
    );
    const [middle, last] = [median(others.slice()), median(others.slice(-20))];
    row(
      `the last pages of that walk, ${what}`,
      `${last.toFixed(3)} ms, the middle one ${middle.toFixed(3)}`,
      "≤ 2 ×",
      last <= 2 * middle,
    );
  }
}

async function walkFound({ services, workspaceId }: BenchWorkspace, query: Query): Promise<[number[], number]> {
  const caches = indexCachesWithin(new Budget(512 * 2 ** 20));
  const pages: number[] = [];
  let [after, hits] = [-1, 0];
  for (let more = true; more; ) {
    const page = () =>
      services.database.snapshot(async (db) => {
        const index = new StoredIndex(db, workspaceId);
        const counters = await index.readCounters();
        const request = { name: "walk", mode: "exhaustive", limit: 100, afterNumber: after } as const;
        const found = await runSearch(index, caches, query, counters, request);
        if ("error" in found) throw new Error(found.error);
        after = found.hits.at(-1)?.number ?? after;
        hits += found.hits.length;
        more = found.more;
      });
    pages.push(await spent(page));
  }
  return [pages, hits];
}

async function walkAnswers(big: BenchWorkspace, word: string): Promise<[number[], number]> {
  const pages: number[] = [];
  let hits = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const place = { mode: "exhaustive", limit: 100, ...(cursor && { cursor }) };
    const page = async () => {
      const found = await big.answer(word, place);
      hits += found.hits.length;
      cursor = found.next;
    };
    pages.push(await spent(page));
  }
  return [pages, hits];
}

/** What a filter may add, and what a small workspace beside a large one may take. */
const filterMs = 2;
const tenantMs = 0.5;

export async function measureFilters(big: BenchWorkspace, small: BenchWorkspace, word: string): Promise<void> {
  const answer = async (more: object = {}) => median(await times(15, () => big.answer(word, more)));
  await big.answer(word);
  const plain = await answer();
  const { knowledgeBaseId, folderId } = defined(big.places[3]);
  const ways: Record<string, object> = {
    "knowledge base": { knowledge_base_id: knowledgeBaseId },
    folder: { folder_id: folderId },
    locale: { locale: "de" },
    date: { updated_since: "2020-01-01T00:00:00Z" },
  };
  for (const [name, more] of Object.entries(ways)) {
    const cold = await spent(() => big.answer(word, more));
    const ms = await answer(more);
    row(
      `filter by ${name}`,
      `${ms.toFixed(2)} ms, without ${plain.toFixed(2)}; first time ${cold.toFixed(1)}`,
      `adds ≤ ${filterMs} ms`,
      ms <= plain + filterMs,
    );
  }
  const tenant = topOf(small);
  const query = queryOf(word);
  await tenant(query);
  const beside = median(await times(15, () => tenant(query)));
  row(
    "a workspace of 10,000 blocks beside it, found and counted",
    `${beside.toFixed(2)} ms`,
    `≤ ${tenantMs} ms`,
    beside <= tenantMs,
  );
  await big.translate();
  const cold = await spent(() => big.answer(word));
  row(
    "an eighth of the documents are translations, which do not count",
    `${(await answer()).toFixed(2)} ms; first time ${cold.toFixed(1)}`,
  );
}
