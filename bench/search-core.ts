// Search core against FTS5 over the same tokens, on a generated corpus: node bench/search-core.ts
// Prints times and ratios of one run; only the ratios mean something on a shared machine. Building is CPU time.
import type { DatabaseSync } from "node:sqlite";
import {
  evaluate,
  openQuery,
  type SearchRequest,
  type SearchResult,
} from "../packages/server/src/views/search/evaluate.ts";
import { indexChange } from "../packages/server/src/views/search/index-writer.ts";
import { type PageSource, termPagesNeeded } from "../packages/server/src/views/search/lookup.ts";
import { nextMerge } from "../packages/server/src/views/search/merge-policy.ts";
import { parseQuery, type Query } from "../packages/server/src/views/search/query.ts";
import { runMerge } from "../packages/server/src/views/search/run-merge.ts";
import { pageName, SegmentCache, type SegmentParts } from "../packages/server/src/views/search/segment-cache.ts";
import { segmentViews } from "../packages/server/src/views/search/segment-view.ts";
import { MemoryStore } from "../packages/server/src/views/search/testing/memory-store.ts";
import { scan } from "../packages/server/src/views/search/tokenizer.ts";
import {
  blocksPerDocument,
  blockText,
  buildFts5,
  cpuMilliseconds,
  fts5Expression,
  median,
  queriesOf,
  timed,
} from "./search-corpus.ts";

type Index = { store: MemoryStore; steps: number[]; seconds: number };

async function buildSegments(texts: readonly string[]): Promise<Index> {
  const store = new MemoryStore();
  const steps: number[] = [];
  const from = cpuMilliseconds();
  for (let i = 0, document = 1; i < texts.length; i += blocksPerDocument, document++) {
    const added = texts.slice(i, i + blocksPerDocument).map((text) => ({ field: "content" as const, text }));
    const change = indexChange(store.counters.nextNumber, [{ document, added, removed: [] }]);
    await store.changeCounters(change.counters);
    await store.insertSegment(change.segment!);
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

/** Queries the segments as a server would: manifest read anew, immutable parts from memory. */
async function searcher(store: MemoryStore): Promise<(query: Query, request?: Partial<SearchRequest>) => SearchResult> {
  const cache = new SegmentCache();
  const parts = new Map<number, SegmentParts>();
  for (const row of store.rows) parts.set(row.id, await cache.parts(row, store));
  const pages: PageSource = {
    page: (segment, kind, number) => {
      const name = pageName(kind, number);
      return parts.get(segment)!.pages?.get(name) ?? store.pages.get(segment)!.get(name)!;
    },
  };
  return (query, request) => {
    const segments = segmentViews(store.rows, parts);
    if ("error" in termPagesNeeded(segments, query)) throw new Error("too broad");
    const open = openQuery(segments, query, pages);
    if ("error" in open) throw new Error(open.error);
    const { blocks, totalLength } = store.counters;
    return evaluate(open, pages, { mode: "topk", limit: 10, n: blocks, totalLength, ...request });
  };
}

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
  const search = await searcher(store);
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
      hits += search(query).counts.total;
      ours.push(timed(() => search(query)));
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
  const search = await searcher(store);
  const word = queriesOf(texts)["common 1"]!.find((text) => !("error" in parseQuery(text)))!;
  const query = parseQuery(word) as Query;
  const page = (afterNumber: number): SearchResult => search(query, { mode: "exhaustive", limit: 100, afterNumber });
  const last = store.counters.nextNumber;
  const filtered = (): SearchResult => search(query, { accepts: (document) => document % 3 === 0 });
  console.log(
    `  exhaustive page: first ${timed(() => page(-1)).toFixed(3)} ms, last ${timed(() => page(last - 500)).toFixed(3)} ms; ` +
      `topk ${timed(() => search(query)).toFixed(3)} ms, filtered by document ${timed(filtered).toFixed(3)} ms`,
  );
  const edit = { document: 1, added: [{ field: "content" as const, text: texts[0]! }], removed: [] };
  console.log(`  index change of one block ${timed(() => indexChange(last, [edit])).toFixed(3)} ms`);
}

await measure(10_000);
await measure(100_000);
