// Search core against FTS5 over the same tokens, on a generated corpus: node bench/search/core.ts
// Prints times and ratios of one run; only the ratios mean something on a shared machine. Building is CPU time.

import type { DatabaseSync } from "node:sqlite";
import { defined } from "@svc/document/defined";
import { nextMerge } from "@svc/search/merge/merge-policy";
import { runMerge } from "@svc/search/merge/run-merge";
import type { SearchResult } from "@svc/search/query/evaluate";
import { parseQuery, type Query } from "@svc/search/query/query";
import { runSearch, type StoredSearchRequest } from "@svc/search/query/run-search";
import { indexChange } from "@svc/search/segment/index-writer";
import { buildSegment } from "@svc/search/segment/segment-build";
import { MemoryStore } from "@svc/search/testing/memory-store";
import { scan } from "@svc/search/text/tokenizer";
import { Budget } from "@svc/server/cache/budget";
import { indexCachesWithin } from "@svc/server/views/search/cache/index-caches";
import {
  blocksPerDocument,
  blockText,
  buildFts5,
  cpuMilliseconds,
  fts5Expression,
  median,
  queriesOf,
  timed,
} from "./corpus.ts";
import { queryOf } from "./store.ts";

type Index = { store: MemoryStore; steps: number[]; seconds: number };

async function buildSegments(texts: readonly string[]): Promise<Index> {
  const store = new MemoryStore();
  const steps: number[] = [];
  const from = cpuMilliseconds();
  for (let i = 0, document = 1; i < texts.length; i += blocksPerDocument, document++) {
    const added = texts.slice(i, i + blocksPerDocument).map((text) => ({ field: "content" as const, text }));
    const change = indexChange(store.counters.nextNumber, [{ document, added, removed: [] }], buildSegment(added));
    await store.changeCounters(change.counters);
    await store.insertSegment(defined(change.segment));
    for (let plan = nextMerge(store.rows); plan; plan = nextMerge(store.rows)) {
      let stepFrom = performance.now();
      await runMerge(store, plan, async () => {
        steps.push(performance.now() - stepFrom);
        stepFrom = performance.now();
      });
    }
  }
  return { store, steps: steps.sort((a, b) => a - b), seconds: (cpuMilliseconds() - from) / 1000 };
}

type Search = (query: Query, request?: Partial<StoredSearchRequest>) => Promise<SearchResult>;

/** Queries the segments as a server would. */
function searcher(store: MemoryStore): Search {
  const caches = indexCachesWithin(new Budget(512 * 2 ** 20));
  return async (query, request) => {
    const result = await runSearch(store, caches, query, store.counters, { mode: "topk", limit: 10, ...request });
    if ("error" in result) throw new Error(result.error);
    return result;
  };
}

const timedAsync = async (work: () => Promise<unknown>): Promise<number> => {
  const all: number[] = [];
  for (let i = 0; i < 7; i++) {
    const from = performance.now();
    await work();
    all.push(performance.now() - from);
  }
  return median(all);
};

async function measure(count: number): Promise<void> {
  const texts = Array.from({ length: count }, blockText);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const scanFrom = cpuMilliseconds();
  for (const text of texts) scan(text, () => {});
  const scanMs = cpuMilliseconds() - scanFrom;
  console.log(`\n${count} blocks, ${(bytes / 1e6).toFixed(1)} MB: tokenizer ${(bytes / 1e3 / scanMs).toFixed(1)} MB/s`);
  const { store, steps, seconds } = await buildSegments(texts);
  const fts5 = buildFts5(texts);
  const size = [...store.pages.values()]
    .flatMap((pages) => [...pages.values()])
    .reduce((sum, page) => sum + page.length, 0);
  const payloads = store.rows.reduce((sum, row) => sum + (row.payload?.length ?? 0) + row.runs.length, 0);
  console.log(
    `index ${Math.round(count / seconds)} blocks/s with merges, FTS5 ${Math.round(count / fts5.seconds)} (ratio ${(fts5.seconds / seconds).toFixed(2)}); ` +
      `${((size + payloads) / bytes).toFixed(2)} of the text; ${store.rows.length} segments; merge step p99 ${steps[Math.floor(steps.length * 0.99)]?.toFixed(2)} ms, longest ${steps.at(-1)?.toFixed(1)} ms`,
  );
  await compareQueries(texts, store, fts5.database);
  await measureWalk(texts, store);
}

async function compareQueries(texts: readonly string[], store: MemoryStore, database: DatabaseSync): Promise<void> {
  const search = searcher(store);
  const top = database.prepare("select rowid, rank from f where f match ? order by rank limit 10");
  const countAll = database.prepare("select count(*) as total from f where f match ?");
  for (const [name, asked] of Object.entries(queriesOf(texts))) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let hits = 0;
    for (const text of asked) {
      const query = parseQuery(text);
      if ("error" in query) continue;
      const expression = fts5Expression(query);
      hits += (await search(query)).counts.total;
      ours.push(await timedAsync(() => search(query)));
      theirs.push(timed(() => [top.all(expression), countAll.get(expression)]));
    }
    const [own, other] = [median(ours), median(theirs)];
    console.log(
      `  ${name.padEnd(9)} ${String(Math.round(hits / Math.max(1, ours.length))).padStart(6)} hits  segments ${own.toFixed(3)} ms  FTS5 top10+count ${other.toFixed(3)} ms  FTS5/segments ${(other / own).toFixed(1)}`,
    );
  }
}

/** A walk to the end: what a page costs at the beginning and at the end; and what a filter adds. */
async function measureWalk(texts: readonly string[], store: MemoryStore): Promise<void> {
  const search = searcher(store);
  const word = defined(defined(queriesOf(texts)["common 1"]).find((text) => !("error" in parseQuery(text))));
  const query = queryOf(word);
  const page = (afterNumber: number) => search(query, { mode: "exhaustive", limit: 100, afterNumber });
  const last = store.counters.nextNumber;
  const filtered = () => search(query, { accepts: (document) => document % 3 === 0 });
  console.log(
    `  exhaustive page: first ${(await timedAsync(() => page(-1))).toFixed(3)} ms, last ${(await timedAsync(() => page(last - 500))).toFixed(3)} ms; ` +
      `topk ${(await timedAsync(() => search(query))).toFixed(3)} ms, filtered by document ${(await timedAsync(filtered)).toFixed(3)} ms`,
  );
  const edit = { document: 1, added: [{ field: "content" as const, text: defined(texts[0]) }], removed: [] };
  console.log(
    `  index change of one block ${timed(() => indexChange(last, [edit], buildSegment(edit.added))).toFixed(3)} ms`,
  );
}

await measure(10_000);
await measure(100_000);
