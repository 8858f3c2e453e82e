// Search as a server does it, on a store of its own, against FTS5 over the same tokens: node bench/search.ts [blocks …]
// With SVC_DATABASE_URL set, on that (empty) PostgreSQL database. Prints times and ratios of one run; only the ratios
// mean something on a shared machine.

import { setImmediate as others } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { fold } from "@svc/search/text/fold";
import { scan } from "@svc/search/text/tokenizer";
import { sql } from "kysely";
import { blockText, buildFts5, cpuMilliseconds, languageText, median, queriesOf } from "./search/corpus.ts";
import { at, row, shown, spent, watchLoop } from "./search/figures.ts";
import { compareQueries, measureFilters, measureWalk, prefixesOf } from "./search/queries.ts";
import { type BenchStore, BenchWorkspace, isQuery, openStore } from "./search/store.ts";
import { measureChurn, measureIndexing, measureWrites } from "./search/writes.ts";

async function build(big: BenchWorkspace, small: BenchWorkspace, texts: readonly string[]): Promise<void> {
  const held = watchLoop();
  const [from, cpu] = [performance.now(), cpuMilliseconds()];
  const writes: number[] = [];
  await big.fill(texts, async (work) => writes.push(await spent(work)));
  const seconds = (performance.now() - from) / 1000;
  const cpuSeconds = (cpuMilliseconds() - cpu) / 1000;
  await small.fill(texts.slice(0, 10_000), (work) => work());
  await big.settle();
  const longest = held();
  row(
    "building, one transaction per document with body, events and all",
    `${Math.round(texts.length / seconds)} blocks/s by the clock, ${Math.round(texts.length / cpuSeconds)} per second of CPU; a write ${shown(writes.sort((a, b) => a - b))}`,
  );
  row(
    "event loop held while that went on, by writes, merges and collections of garbage",
    `at most ${longest.toFixed(1)} ms`,
  );
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Calls `word` with each word that the runtime sees in a text. */
function segment(text: string, word: (word: string) => string): void {
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) word(segment);
}

/**
 * Our tokeniser against the runtime's own, on the same texts: those of this corpus, whose words of eight kinds stand
 * side by side, and texts in the languages of the design's corpus, which the goal was set with. The goal is judged by
 * words that are only put into lower case, as it was set; what a search needs of words (accents, width, case folded by
 * the same rules as ours) is the second figure.
 */
function measureTokenizer(texts: readonly string[]): void {
  const ways = {
    ours: (text: string) => void scan(text, () => {}),
    theirs: (text: string) => segment(text, (word) => word.toLowerCase()),
    folded: (text: string) => segment(text, fold),
  };
  const count = Math.min(20_000, texts.length);
  const corpora = { "this corpus": texts.slice(0, count), languages: Array.from({ length: count }, languageText) };
  for (const [name, some] of Object.entries(corpora)) {
    const bytes = some.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    // One way after the other: what one leaves to be collected would count as the next one's time.
    const rate = (work: (text: string) => void): number => {
      const passes = Array.from({ length: 8 }, () => {
        const from = cpuMilliseconds();
        for (const text of some) work(text);
        return cpuMilliseconds() - from;
      });
      return bytes / 1000 / median(passes.slice(1));
    };
    const [ours, theirs, folded] = [rate(ways.ours), rate(ways.theirs), rate(ways.folded)];
    const ratio = ours / theirs;
    row(
      `tokeniser, ${name}`,
      `${ours.toFixed(1)} MB/s, Intl.Segmenter in lower case ${theirs.toFixed(1)}: ${ratio.toFixed(1)} ×; with each word folded ${folded.toFixed(1)}: ${(ours / folded).toFixed(1)} ×`,
      "≥ 10 × in lower case",
      ratio >= 10,
    );
  }
}

/** Writers beside searches that follow each other without a pause. */
async function measureTogether(big: BenchWorkspace, words: readonly string[]): Promise<void> {
  const wallTimes = async (): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 200; i++) {
      const from = performance.now();
      await big.append(defined(big.documentIds[i]));
      all.push(performance.now() - from);
      await others();
    }
    return all.sort((a, b) => a - b);
  };
  const alone = await wallTimes();
  const held = watchLoop();
  let isOver = false;
  let searches = 0;
  const searching = Array.from({ length: 16 }, async () => {
    for (; !isOver; searches++) await big.answer(defined(words[searches % words.length]));
  });
  const beside = await wallTimes();
  isOver = true;
  await Promise.all(searching);
  row(
    "a block added beside 16 searchers of common words that never pause",
    `${shown(beside)}, alone ${shown(alone)}: ${(at(beside, 0.5) / at(alone, 0.5)).toFixed(1)} ×; ${searches} searches; event loop held at most ${held().toFixed(1)} ms`,
  );
}

async function showSize({ app }: BenchStore, texts: readonly string[]): Promise<void> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const { database } = app.services;
  const lengths = (table: string, columns: readonly string[]) =>
    database.transaction((tx) =>
      sql<{
        bytes: number;
      }>`select sum(${sql.raw(columns.map((column) => `coalesce(length(${column}), 0)`).join(" + "))}) as bytes from ${sql.table(table)} where workspace_id = (select workspace_id from search_counters order by blocks desc limit 1)`.execute(
        tx,
      ),
    );
  const pages = await lengths("search_pages", ["content"]);
  const segments = await lengths("search_segments", ["payload", "runs", "removed", "tombstones"]);
  const index = Number(defined(pages.rows[0]).bytes) + Number(defined(segments.rows[0]).bytes);
  const share = index / bytes;
  row("index", `${(index / 1e6).toFixed(1)} MB, ${share.toFixed(2)} of the text`, "≤ 1.0", share <= 1);
}

/** Larger indexes take too long to edit: there the small workspace is. */
const mostChurned = 100_000;

async function measure(count: number): Promise<void> {
  const store = await openStore(count);
  try {
    const { services } = store.app;
    const texts = Array.from({ length: count }, blockText);
    console.log(`\n## ${count} blocks\n\n|  | measured | goal |  |\n| --- | --- | --- | --- |`);
    const open = (email: string) => (store.isBuilt ? BenchWorkspace.find : BenchWorkspace.create)(services, email);
    const [big, small] = [await open("big@example.com"), await open("small@example.com")];
    if (!store.isBuilt) await build(big, small, texts);
    const { database, seconds } = buildFts5(texts);
    row("FTS5 alone, built", `${Math.round(count / seconds)} blocks per second of CPU`);
    row("segments", `${await big.segments()}`);
    measureTokenizer(texts);
    await showSize(store, texts);
    const queries = queriesOf(texts);
    const common = defined(queries["common 1"]).filter(isQuery);
    const latin = common.filter((word) => /^[a-z]{4,}$/.test(word));
    await compareQueries(big, { ...queries, prefix: prefixesOf(latin) }, database);
    await measureWalk(big, defined(common[0]));
    await measureFilters(big, small, defined(common[0]));
    await measureWrites(big, store.app);
    await measureIndexing(small, database, count / seconds);
    await measureTogether(big, common);
    await measureChurn(count <= mostChurned ? big : small, common);
  } finally {
    await store.close();
  }
}

const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [10_000, 100_000]) await measure(count);
