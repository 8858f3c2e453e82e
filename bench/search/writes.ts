import type { DatabaseSync } from "node:sqlite";
import type { App } from "@svc/server/app";
import type { Services } from "@svc/server/services";
import { blocksPerDocument, blockText, cpuMilliseconds, median, tokensOf } from "./corpus.ts";
import { row, spent, times, watchLoop } from "./figures.ts";
import { topOf } from "./queries.ts";
import type { BenchWorkspace } from "./store.ts";
import { queryOf } from "./store.ts";

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** Bodies written through the API, with and without the search view. Those without are never searched. */
export async function measureWrites(big: BenchWorkspace, { server, services }: App): Promise<void> {
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
  const body: Record<"with" | "without", number[]> = { with: [], without: [] };
  const edit: Record<"with" | "without", number[]> = { with: [], without: [] };
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
  const part = (pair: typeof body): number => 1 - median(pair.without) / median(pair.with);
  row(`body of ${(bytes / 1000).toFixed(0)} kB replaced`, share(body), "indexing ≤ 50 %", part(body) <= 0.5);
  row("one block added", share(edit), "indexing ≤ 10 %", part(edit) <= 0.1);
}

/** What indexing adds to some work: its time with the search view less that of the turn before without. At least 0.01 ms. */
async function added(services: Services, rounds: number, work: (way: "with" | "without") => Promise<unknown>) {
  const views = { with: services.views, without: services.views.filter((view) => view.name !== "search") };
  const timed = (way: "with" | "without"): Promise<number> => {
    Object.assign(services, { views: views[way] });
    return spent(() => work(way));
  };
  const differences: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const without = await timed("without");
    differences.push((await timed("with")) - without);
  }
  return Math.max(0.01, median(differences));
}

/** New numbers for rows of FTS5 that are written beside those of the corpus. */
let fts5Row = 1e9;

/** Rows replaced by new ones in one transaction. */
function replaceRows(fts5: DatabaseSync, count: number): () => Promise<void> {
  const remove = fts5.prepare("delete from f where rowid = ?");
  const insert = fts5.prepare("insert into f(rowid, t) values (?, ?)");
  let rows: number[] = [];
  return async () => {
    fts5.exec("begin");
    for (const id of rows) remove.run(id);
    rows = Array.from({ length: count }, () => fts5Row++);
    for (const id of rows) insert.run(id, tokensOf(blockText()));
    fts5.exec("commit");
  };
}

const textsOf = (count: number): string[] => Array.from({ length: count }, blockText);

/** Indexing alone, against FTS5 with the same number of rows. `fts5Rate` is in blocks per second, a transaction each. */
export async function measureIndexing(space: BenchWorkspace, fts5: DatabaseSync, fts5Rate: number): Promise<void> {
  const { services } = space;
  const one = await added(services, 60, () => space.create(textsOf(blocksPerDocument)));
  const rate = (1000 * blocksPerDocument) / one;
  row(
    "indexing alone, one transaction per document",
    `${Math.round(rate)} blocks per second of CPU: ${(rate / fts5Rate).toFixed(2)} of FTS5`,
    "≥ 0.5 of FTS5",
    rate >= 0.5 * fts5Rate,
  );
  const documents = 30;
  const all = () => Array.from({ length: documents }, () => textsOf(blocksPerDocument));
  const batch = await added(services, 10, () => space.createAll(all()));
  const batchRate = (1000 * blocksPerDocument * documents) / batch;
  row(
    `indexing alone, ${documents} documents in a transaction`,
    `${Math.round(batchRate)} blocks per second of CPU`,
    "≥ 20,000",
    batchRate >= 20_000,
  );
  for (const [blocks, step, most, rounds] of [
    [1000, 1, 2.5, 12],
    [1, 1000, 2, 150],
  ] as const) {
    const ids = { with: await space.create(textsOf(1000)), without: await space.create(textsOf(1000)) };
    const ours = await added(services, rounds, (way) => space.rewrite(ids[way], step));
    const replace = replaceRows(fts5, blocks);
    const theirs = median((await times(rounds + 1, replace)).slice(1));
    row(
      blocks === 1 ? "one block of 1,000 replaced, indexing alone" : "1,000 blocks replaced, indexing alone",
      `${ours.toFixed(2)} ms, FTS5 ${theirs.toFixed(2)}: ${(ours / theirs).toFixed(1)} ×`,
      `≤ ${most} × of FTS5`,
      ours <= most * theirs,
    );
  }
  await space.settle();
  const from = cpuMilliseconds();
  await space.reindex();
  const blocks = await space.blocks();
  row(
    `an index of ${blocks} blocks built anew from its bodies, in the background`,
    `${Math.round((1000 * blocks) / (cpuMilliseconds() - from))} blocks per second of CPU`,
  );
}

/** A fifth of all blocks get another text; what that does to queries before and after merges, and merges to the rest. */
export async function measureChurn(space: BenchWorkspace, words: readonly string[]): Promise<void> {
  const top = topOf(space);
  const queries = words.map((word) => queryOf(word));
  const asked = async (): Promise<number> => {
    const all: number[] = [];
    for (const query of queries) {
      await top(query);
      all.push(median(await times(7, () => top(query))));
    }
    return median(all);
  };
  await space.settle();
  const before = await asked();
  const blocks = await space.blocks();
  for (const id of space.documentIds) await space.rewrite(id, 5);
  const [unmerged, segments] = [await asked(), await space.segments()];
  const held = watchLoop();
  await space.settle();
  const longest = held();
  const merged = await asked();
  row(
    `a common word after a fifth of ${blocks} blocks got another text`,
    `${unmerged.toFixed(2)} ms at once, in ${segments} segments; ${merged.toFixed(2)} when all is merged; before ${before.toFixed(2)}: ${(unmerged / before).toFixed(1)} × and ${(merged / before).toFixed(1)} ×`,
    "≤ 2 ×",
    Math.max(unmerged, merged) <= 2 * before,
  );
  row(
    "event loop held while nothing but those merges went on",
    `at most ${longest.toFixed(1)} ms`,
    "≤ 20 ms",
    longest <= 20,
  );
}
