// Search on PostgreSQL against search on SQLite, with the same texts, in turns: node bench/search/databases.ts [blocks …]
// Times are by the clock: half of the work on PostgreSQL is another process's.

import { defined } from "@svc/document/defined";
import { makeDatabase, stopPostgres } from "../harness/store.ts";
import { blockText, median, queriesOf } from "./corpus.ts";
import { row } from "./figures.ts";
import { topOf } from "./queries.ts";
import { BenchWorkspace, isQuery, openStore, queryOf } from "./store.ts";

type Ask = (text: string) => Promise<unknown>;

/** How often each query is asked on each database. */
const rounds = 9;

async function elapsed(ask: Ask, text: string): Promise<number> {
  const from = performance.now();
  await ask(text);
  return performance.now() - from;
}

/** The middle time of all queries on each of the two. */
async function inTurns(asks: readonly [Ask, Ask], queries: readonly string[]): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []];
  for (const text of queries) {
    const own: [number[], number[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      for (const which of i % 2 ? ([1, 0] as const) : ([0, 1] as const))
        own[which].push(await elapsed(asks[which], text));
    }
    for (const which of [0, 1] as const) found[which].push(median(own[which]));
  }
  return [median(found[0]), median(found[1])];
}

function compared(what: string, [sqlite, postgres]: [number, number]): void {
  const most = 3 * sqlite + 1.5;
  row(what, `${postgres.toFixed(2)} ms, on SQLite ${sqlite.toFixed(2)}`, "≤ 3 × SQLite + 1.5 ms", postgres <= most);
}

async function measure(count: number): Promise<void> {
  const database = await makeDatabase();
  const stores = [await openStore(count, ""), await openStore(count, database.url)] as const;
  try {
    const texts = Array.from({ length: count }, blockText);
    const spaces: BenchWorkspace[] = [];
    for (const { app, isBuilt } of stores) {
      const open = isBuilt ? BenchWorkspace.find : BenchWorkspace.create;
      const workspace = await open(app.services, "big@example.com");
      if (!isBuilt) await workspace.fill(texts, (work) => work());
      await workspace.settle();
      spaces.push(workspace);
    }
    console.log(`\n## ${count} blocks\n\n|  | measured | goal |  |\n| --- | --- | --- | --- |`);
    const [onSqlite, onPostgres] = [defined(spaces[0]), defined(spaces[1])];
    const tops = [topOf(onSqlite), topOf(onPostgres)] as const;
    const find =
      (which: 0 | 1): Ask =>
      (text) =>
        tops[which](queryOf(text));
    for (const [name, asked] of Object.entries(queriesOf(texts))) {
      const usable = asked.filter(isQuery);
      compared(`${name}, found and counted`, await inTurns([find(0), find(1)], usable));
      compared(`${name}, whole answers`, await inTurns([onSqlite.answer, onPostgres.answer], usable));
    }
  } finally {
    for (const store of stores) await store.close();
    await database.drop();
  }
}

const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [10_000]) await measure(count);
await stopPostgres();
