// Search as a server does it, on a store of its own, against FTS5 over the same tokens: node bench/search.ts [blocks …]
// With SVC_DATABASE_URL set, on that (empty) PostgreSQL database. Prints times and ratios of one run; only the ratios
// mean something on a shared machine.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as others } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../packages/server/src/app.ts";
import { parseQuery, type Query } from "../packages/server/src/views/search/query.ts";
import { runSearch } from "../packages/server/src/views/search/run-search.ts";
import { SearchMemory } from "../packages/server/src/views/search/search-memory.ts";
import { StoredIndex } from "../packages/server/src/views/search/stored-index.ts";
import {
  blocksPerDocument,
  blockText,
  buildFts5,
  cpuMilliseconds,
  fts5Expression,
  median,
  queriesOf,
} from "./search-corpus.ts";
import { type BenchStore, BenchWorkspace, isQuery, openStore } from "./search-store.ts";

/**
 * On SQLite all work is this process's own: its CPU time counts, whatever else runs on the machine. (Waiting for the
 * disk is left out.) On PostgreSQL the clock counts.
 */
const clock = (): number => (process.env.SVC_DATABASE_URL ? performance.now() : cpuMilliseconds());
const spent = async (work: () => Promise<unknown>): Promise<number> => {
  const from = clock();
  await work();
  return clock() - from;
};

/** The longest that the event loop was held at a stretch, in CPU time. */
function watchLoop(): () => number {
  let [wall, cpu, longest] = [performance.now(), cpuMilliseconds(), 0];
  const timer = setInterval(() => {
    const [wallNow, cpuNow] = [performance.now(), cpuMilliseconds()];
    longest = Math.max(longest, Math.min(wallNow - wall, cpuNow - cpu));
    [wall, cpu] = [wallNow, cpuNow];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
async function times(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await spent(() => work(i)));
  return all.sort((a, b) => a - b);
}
const at = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const shown = (sorted: readonly number[]): string =>
  `p50 ${at(sorted, 0.5).toFixed(2)} p95 ${at(sorted, 0.95).toFixed(2)} max ${at(sorted, 1).toFixed(1)} ms`;
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

async function build(big: BenchWorkspace, small: BenchWorkspace, texts: readonly string[]): Promise<void> {
  const held = watchLoop();
  const [from, cpu] = [performance.now(), cpuMilliseconds()];
  const writes: number[] = [];
  await big.fill(texts, async (work) => writes.push(await spent(work)));
  const seconds = (performance.now() - from) / 1000;
  const cpuSeconds = (cpuMilliseconds() - cpu) / 1000;
  await small.fill(texts.slice(0, 10_000), (work) => work());
  await big.settle();
  console.log(
    `built ${Math.round(texts.length / seconds)} blocks/s by the clock, ${Math.round(texts.length / cpuSeconds)} per second of CPU, ` +
      `one transaction per document (${shown(writes.sort((a, b) => a - b))}); event loop held at most ${held().toFixed(1)} ms`,
  );
}

/** Top ten and exact counts without the texts of the hits: what FTS5 is measured with. */
function topOf({ services: { database }, workspaceId }: BenchWorkspace) {
  const memory = new SearchMemory();
  return (query: Query, limit = 10, afterNumber?: number) =>
    database.snapshot(async (db) => {
      const index = new StoredIndex(db, workspaceId);
      const counters = await index.readCounters();
      const place =
        afterNumber === undefined ? { mode: "topk" as const } : { mode: "exhaustive" as const, afterNumber };
      const result = await runSearch(index, memory, query, counters, { limit, ...place });
      if ("error" in result) throw new Error(result.error);
      return result;
    });
}

async function compareQueries(
  big: BenchWorkspace,
  queries: Record<string, string[]>,
  fts5: DatabaseSync,
): Promise<void> {
  const top = topOf(big);
  const best = fts5.prepare("select rowid, rank from f where f match ? order by rank limit 10");
  for (const [name, asked] of Object.entries(queries)) {
    const [first, ours, whole, theirs]: number[][] = [[], [], [], []];
    let hits = 0;
    for (const text of asked.filter(isQuery)) {
      const query = parseQuery(text) as Query;
      const expression = fts5Expression(query);
      first!.push(await spent(async () => (hits += (await top(query)).counts.total)));
      ours!.push(median(await times(7, () => top(query))));
      await big.answer(text);
      whole!.push(median(await times(7, () => big.answer(text))));
      theirs!.push(median(await times(7, async () => best.all(expression))));
    }
    const [cold, own, all, other] = [first, ours, whole, theirs].map((some) => median(some!)) as [
      number,
      number,
      number,
      number,
    ];
    const longest = `p95 ${at(ours!, 0.95).toFixed(2)}, FTS5 p95 ${at(theirs!, 0.95).toFixed(2)}`;
    console.log(
      `  ${name.padEnd(9)} ${String(Math.round(hits / Math.max(1, ours!.length))).padStart(6)} hits  top10+count ${own.toFixed(3)} ms (first time ${cold.toFixed(2)})  whole answer ${all.toFixed(2)} ms  FTS5 top10 ${other.toFixed(3)} ms  FTS5/ours ${(other / own).toFixed(1)}  (${longest})`,
    );
  }
}

async function measureFilters(big: BenchWorkspace, small: BenchWorkspace, word: string): Promise<void> {
  const { knowledgeBaseId, folderId } = big.places[3]!;
  const ways: Record<string, object> = {
    none: {},
    knowledge_base: { knowledge_base_id: knowledgeBaseId },
    folder: { folder_id: folderId },
    locale: { locale: "de" },
    updated_since: { updated_since: "2020-01-01T00:00:00Z" },
  };
  for (const [name, more] of Object.entries(ways)) {
    const cold = await spent(() => big.answer(word, more));
    const { counts } = (await big.answer(word, more)).result;
    console.log(
      `  filter ${name.padEnd(14)} ${String(counts.total).padStart(6)} hits  whole answer ${median(await times(15, () => big.answer(word, more))).toFixed(2)} ms (first time ${cold.toFixed(1)})`,
    );
  }
  await small.answer(word);
  console.log(
    `  tenant of 10,000 blocks beside it: whole answer ${median(await times(15, () => small.answer(word))).toFixed(2)} ms`,
  );
  await big.translate();
  const cold = await spent(() => big.answer(word));
  console.log(
    `  an eighth are translations: whole answer ${median(await times(15, () => big.answer(word))).toFixed(2)} ms (first time ${cold.toFixed(1)})`,
  );
}

async function measureWalk(big: BenchWorkspace, word: string): Promise<void> {
  const top = topOf(big);
  const query = parseQuery(word) as Query;
  const pages: number[] = [];
  let after = -1;
  for (let more = true; more; ) {
    pages.push(
      await spent(async () => {
        const page = await top(query, 100, after);
        after = page.hits.at(-1)?.number ?? after;
        more = page.more;
      }),
    );
  }
  const [first, last] = [pages.slice(1, 21), pages.slice(-20)];
  console.log(
    `  exhaustive walk of ${pages.length} pages in ${(pages.reduce((a, b) => a + b, 0) / 1000).toFixed(2)} s: first pages ${median(first).toFixed(2)} ms, last pages ${median(last).toFixed(2)} ms`,
  );
}

/** Bodies written through the API, with and without the search view. Those without are never searched. */
async function measureWrites(big: BenchWorkspace, { server, services }: App): Promise<void> {
  const token = await big.token();
  const texts = () => Array.from({ length: blocksPerDocument * 2 }, blockText).join("\n\n");
  const views = { with: services.views, without: services.views.filter((view) => view.name !== "search") };
  const documents = { with: await big.create([blockText()]), without: await big.create([blockText()]) };
  const call = (method: "PUT" | "POST", path: string, payload: object) =>
    server.inject({
      method,
      url: `/api/v1${path}`,
      payload,
      headers: { authorization: `Bearer ${token}`, "if-match": "*" },
    });
  const body = { with: [] as number[], without: [] as number[] };
  const edit = { with: [] as number[], without: [] as number[] };
  for (let i = 0; i < 160; i++) {
    const way = i % 2 ? "with" : "without";
    Object.assign(services, { views: views[way] });
    const path = `/documents/${documents[way]}`;
    const content = { format: "markdown", content: texts() };
    body[way].push(await spent(() => call("PUT", `${path}/content`, content)));
    const block = { type: "paragraph", content: [{ type: "text", text: blockText() }] };
    edit[way].push(await spent(() => call("POST", `${path}/blocks`, { node: block })));
  }
  Object.assign(services, { views: views.with });
  const share = (pair: typeof body): string => {
    const [more, less] = [median(pair.with), median(pair.without)];
    return `${more.toFixed(2)} ms, without indexing ${less.toFixed(2)} (indexing ${percent(1 - less / more)})`;
  };
  const bytes = Buffer.byteLength(texts());
  console.log(`  body of ${(bytes / 1000).toFixed(0)} kB replaced ${share(body)}; one block added ${share(edit)}`);
}

/** Writers beside searches that follow each other without a pause. */
async function measureTogether(big: BenchWorkspace, words: readonly string[]): Promise<void> {
  const wallTimes = async (): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 200; i++) {
      const from = performance.now();
      await big.append(big.documentIds[i]!);
      all.push(performance.now() - from);
      await others();
    }
    return all.sort((a, b) => a - b);
  };
  const alone = await wallTimes();
  const held = watchLoop();
  let isOver = false;
  let searches = 0;
  const searching = (async () => {
    for (; !isOver; searches++) {
      await big.answer(words[searches % words.length]!);
      await others();
    }
  })();
  const beside = await wallTimes();
  isOver = true;
  await searching;
  console.log(
    `  writes by the clock alone ${shown(alone)}; beside ${searches} searches ${shown(beside)}; event loop held at most ${held().toFixed(1)} ms`,
  );
}

async function showSize({ app }: BenchStore, texts: readonly string[]): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const { read } = app.services.database;
  const lengths = (table: string, columns: readonly string[]) =>
    sql<{
      bytes: number;
    }>`select sum(${sql.raw(columns.map((column) => `coalesce(length(${column}), 0)`).join(" + "))}) as bytes from ${sql.table(table)} where workspace_id = (select workspace_id from search_counters order by blocks desc limit 1)`.execute(
      read,
    );
  const pages = await lengths("search_pages", ["content"]);
  const segments = await lengths("search_segments", ["payload", "runs", "removed", "tombstones"]);
  const index = Number(pages.rows[0]!.bytes) + Number(segments.rows[0]!.bytes);
  console.log(
    `  index ${(index / 1e6).toFixed(1)} MB, ${(index / bytes).toFixed(2)} of the text of ${(bytes / 1e6).toFixed(1)} MB`,
  );
}

async function measure(count: number): Promise<void> {
  const store = await openStore(count);
  try {
    const { services } = store.app;
    const texts = Array.from({ length: count }, blockText);
    console.log(`\n${count} blocks`);
    const open = (email: string) => (store.isBuilt ? BenchWorkspace.find : BenchWorkspace.create)(services, email);
    const [big, small] = [await open("big@example.com"), await open("small@example.com")];
    if (!store.isBuilt) await build(big, small, texts);
    const { database, seconds } = buildFts5(texts);
    console.log(
      `  ${await big.segments()} segments; FTS5 built ${Math.round(count / seconds)} blocks per second of CPU`,
    );
    await showSize(store, texts);
    const queries = queriesOf(texts);
    const common = queries["common 1"]!.filter(isQuery);
    await compareQueries(big, queries, database);
    await measureWalk(big, common[0]!);
    await measureFilters(big, small, common[0]!);
    await measureWrites(big, store.app);
    await measureTogether(big, common);
  } finally {
    await store.close();
  }
}

const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [10_000, 100_000]) await measure(count);
