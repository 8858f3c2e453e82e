// Search as a server does it, on a store of its own, against FTS5 over the same tokens: node bench/search.ts [blocks …]
// With SVC_DATABASE_URL set, on that (empty) PostgreSQL database. Prints times and ratios of one run; only the ratios
// mean something on a shared machine.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as others, setTimeout as sleep } from "node:timers/promises";
import type { Node } from "../packages/document/src/types.ts";
import { type App, makeApp } from "../packages/server/src/app.ts";
import { changeBody } from "../packages/server/src/bodies/change-body.ts";
import { readConfig } from "../packages/server/src/config.ts";
import { newBlockId } from "../packages/server/src/ids.ts";
import { createUser } from "../packages/server/src/resources/accounts/create-user.ts";
import { createDocument } from "../packages/server/src/resources/documents/create-document.ts";
import { insertKnowledgeBase } from "../packages/server/src/resources/knowledge-bases/queries.ts";
import { createToken } from "../packages/server/src/resources/tokens/create-token.ts";
import type { Services } from "../packages/server/src/services.ts";
import { parseQuery, type Query } from "../packages/server/src/views/search/query.ts";
import { runSearch } from "../packages/server/src/views/search/run-search.ts";
import { search } from "../packages/server/src/views/search/search.ts";
import { SegmentCache } from "../packages/server/src/views/search/segment-cache.ts";
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

const actor = { userId: "user_bench", tokenId: "tok_bench", client: { name: "bench", version: null, agent: false } };
const paragraph = (text: string): Node => ({
  type: "paragraph",
  attrs: { id: newBlockId() },
  content: [{ type: "text", text }],
});

class Bench {
  readonly services: Services;
  readonly #userId: string;
  readonly #workspaceId: string;
  readonly #knowledgeBaseId: number;
  readonly documentIds: string[] = [];
  readonly #cache = new SegmentCache();

  constructor(services: Services, userId: string, workspaceId: string, knowledgeBaseId: number) {
    this.services = services;
    this.#userId = userId;
    this.#workspaceId = workspaceId;
    this.#knowledgeBaseId = knowledgeBaseId;
  }

  static async open({ services }: App): Promise<Bench> {
    return services.database.transaction(async (tx) => {
      const { userId, workspaceId } = await createUser(tx, {
        email: "b@example.com",
        name: "B",
        passwordHash: "unused",
      });
      const now = Date.now();
      const base = { workspace_id: workspaceId, confirm_id: "kb_b", name: "B", created_at: now, updated_at: now };
      return new Bench(services, userId, workspaceId, (await insertKnowledgeBase(tx, base)).id);
    });
  }

  async create(texts: readonly string[]): Promise<string> {
    const { services } = this;
    const blocks = texts.map(paragraph);
    const input = { workspaceId: this.#workspaceId, title: "Title", knowledgeBaseId: this.#knowledgeBaseId };
    const { id } = await services.database.transaction((tx) =>
      createDocument(services, tx, { ...input, blocks, actor }),
    );
    return id;
  }

  async append(documentId: string): Promise<void> {
    const { services } = this;
    const key = { workspaceId: this.#workspaceId, documentId };
    const edit = ({ blocks }: { blocks: readonly Node[] }) => [...blocks, paragraph(blockText())];
    await services.database.transaction((tx) =>
      changeBody(services, tx, { key, reason: "content", actor, expected: undefined, edit }),
    );
  }

  async token(): Promise<string> {
    const ids = { userId: this.#userId, workspaceId: this.#workspaceId };
    const wanted = { ...ids, name: "bench", access: "read_write" as const, scopes: undefined, expiresAt: undefined };
    return (await this.services.database.transaction((tx) => createToken(tx, wanted))).token;
  }

  /** Until no merge is due. */
  async settle(): Promise<number> {
    for (;;) {
      const { level_zero, backlog } = await this.services.database.read
        .selectFrom("search_counters")
        .selectAll()
        .executeTakeFirstOrThrow();
      const leases = await this.services.database.read.selectFrom("search_leases").selectAll().execute();
      if (level_zero < 16 && backlog === 0 && leases.length === 0) break;
      await sleep(50);
    }
    return (await new StoredIndex(this.services.database.read, this.#workspaceId).readSegments()).length;
  }

  /** Top ten and exact counts, without the texts of the hits. */
  top(query: Query, limit = 10, afterNumber?: number) {
    return this.services.database.snapshot(async (db) => {
      const index = new StoredIndex(db, this.#workspaceId);
      const counters = await index.readCounters();
      const place =
        afterNumber === undefined ? { mode: "topk" as const } : { mode: "exhaustive" as const, afterNumber };
      const result = await runSearch(index, this.#cache, query, counters, { limit, ...place });
      if ("error" in result) throw new Error(result.error);
      return result;
    });
  }

  /** The whole answer. */
  answer = (q: string, more: object = {}) => search(this.services, this.#workspaceId, { q, limit: 10, ...more });
}

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

async function build(bench: Bench, texts: readonly string[]): Promise<void> {
  const held = watchLoop();
  const from = performance.now();
  const writes: number[] = [];
  for (let i = 0; i < texts.length; i += blocksPerDocument) {
    const some = texts.slice(i, i + blocksPerDocument);
    writes.push(await spent(async () => bench.documentIds.push(await bench.create(some))));
    await others();
  }
  const seconds = (performance.now() - from) / 1000;
  writes.sort((a, b) => a - b);
  const settling = performance.now();
  const segments = await bench.settle();
  console.log(
    `built ${Math.round(texts.length / seconds)} blocks/s, one transaction per document (${shown(writes)}); ` +
      `merges settled ${((performance.now() - settling) / 1000).toFixed(1)} s later: ${segments} segments; ` +
      `event loop held at most ${held().toFixed(1)} ms`,
  );
}

async function compareQueries(bench: Bench, texts: readonly string[]): Promise<void> {
  const { database } = buildFts5(texts);
  const top = database.prepare("select rowid, rank from f where f match ? order by rank limit 10");
  for (const [name, asked] of Object.entries(queriesOf(texts))) {
    const [ours, whole, theirs]: number[][] = [[], [], []];
    let hits = 0;
    for (const text of asked) {
      const query = parseQuery(text);
      if ("error" in query) continue;
      const expression = fts5Expression(query);
      hits += (await bench.top(query)).counts.total;
      await bench.answer(text);
      ours!.push(median(await times(7, () => bench.top(query))));
      whole!.push(median(await times(7, () => bench.answer(text))));
      theirs!.push(median(await times(7, async () => top.all(expression))));
    }
    const [own, all, other] = [median(ours!), median(whole!), median(theirs!)];
    console.log(
      `  ${name.padEnd(9)} ${String(Math.round(hits / Math.max(1, ours!.length))).padStart(6)} hits  top10+count ${own.toFixed(2)} ms (longest ${Math.max(...ours!).toFixed(1)})  whole answer ${all.toFixed(2)} ms  FTS5 top10 ${other.toFixed(2)} ms  FTS5/ours ${(other / own).toFixed(1)}`,
    );
  }
}

async function measureWalk(bench: Bench, texts: readonly string[]): Promise<void> {
  const word = queriesOf(texts)["common 1"]!.find((text) => !("error" in parseQuery(text)))!;
  const query = parseQuery(word) as Query;
  const pages: number[] = [];
  let after = -1;
  for (let more = true; more; ) {
    pages.push(
      await spent(async () => {
        const page = await bench.top(query, 100, after);
        after = page.hits.at(-1)?.number ?? after;
        more = page.more;
      }),
    );
  }
  const [first, last] = [pages.slice(0, 20), pages.slice(-20)];
  console.log(
    `  exhaustive walk of ${pages.length} pages in ${(pages.reduce((a, b) => a + b, 0) / 1000).toFixed(2)} s: first pages ${median(first).toFixed(2)} ms, last pages ${median(last).toFixed(2)} ms`,
  );
}

/** Bodies written through the API, with and without the search view. Those without are never searched. */
async function measureWrites(bench: Bench, { server, services }: App): Promise<void> {
  const token = await bench.token();
  const texts = () => Array.from({ length: blocksPerDocument * 2 }, blockText).join("\n\n");
  const views = { with: services.views, without: services.views.filter((view) => view.name !== "search") };
  const documents = { with: await bench.create([blockText()]), without: await bench.create([blockText()]) };
  const call = (method: "PUT" | "POST", path: string, payload: object) =>
    server.inject({
      method,
      url: `/api/v1${path}`,
      payload,
      headers: { authorization: `Bearer ${token}`, "if-match": "*" },
    });
  const body = { with: [] as number[], without: [] as number[] };
  const edit = { with: [] as number[], without: [] as number[] };
  for (let i = 0; i < 120; i++) {
    const way = i % 2 ? "with" : "without";
    Object.assign(services, { views: views[way] });
    const path = `/documents/${documents[way]}`;
    const content = { format: "markdown", content: texts() };
    body[way].push(await spent(() => call("PUT", `${path}/content`, content)));
    const block = { type: "paragraph", content: [{ type: "text", text: blockText() }] };
    edit[way].push(await spent(() => call("POST", `${path}/blocks`, { node: block })));
  }
  Object.assign(services, { views: views.with });
  const share = (pair: typeof body): string =>
    `${median(pair.with).toFixed(2)} ms, without indexing ${median(pair.without).toFixed(2)} (indexing ${(100 * (1 - median(pair.without) / median(pair.with))).toFixed(0)} %)`;
  const bytes = Buffer.byteLength(texts());
  console.log(`  body of ${(bytes / 1000).toFixed(0)} kB replaced ${share(body)}; one block added ${share(edit)}`);
}

/** Writers beside searches that have a hard time. */
async function measureTogether(bench: Bench, texts: readonly string[]): Promise<void> {
  const words = queriesOf(texts)["common 1"]!.filter((text) => !("error" in parseQuery(text)));
  const wallTimes = async (): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 200; i++) {
      const from = performance.now();
      await bench.append(bench.documentIds[i]!);
      all.push(performance.now() - from);
      await others();
    }
    return all.sort((a, b) => a - b);
  };
  const alone = await wallTimes();
  let isOver = false;
  let searches = 0;
  const searching = (async () => {
    for (; !isOver; searches++) {
      await bench.answer(words[searches % words.length]!);
      await others();
    }
  })();
  const beside = await wallTimes();
  isOver = true;
  await searching;
  console.log(`  writes by the clock alone ${shown(alone)}; beside ${searches} searches ${shown(beside)}`);
}

/** With SVC_BENCH_KEEP a store is kept in that directory and used again by the next run with as many blocks. */
function storeDirectory(count: number): string {
  const kept = process.env.SVC_BENCH_KEEP;
  if (!kept) return mkdtempSync(join(tmpdir(), "svc-bench-"));
  const directory = join(kept, String(count));
  mkdirSync(directory, { recursive: true });
  return directory;
}

async function measure(count: number): Promise<void> {
  const dataDir = storeDirectory(count);
  const isBuilt = existsSync(join(dataDir, "svc.db"));
  const url = process.env.SVC_DATABASE_URL;
  const app = await makeApp(
    readConfig({
      SVC_DATA_DIR: dataDir,
      SVC_LOG_LEVEL: "warn",
      SVC_MAX_DOCUMENTS: "10000000",
      ...(url && { SVC_DATABASE_URL: url }),
    }),
  );
  try {
    const bench = await Bench.open(app);
    const texts = Array.from({ length: count }, blockText);
    console.log(`\n${count} blocks`);
    await build(bench, texts);
    await compareQueries(bench, texts);
    await measureWalk(bench, texts);
    await measureWrites(bench, app);
    await measureTogether(bench, texts);
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const counts = process.argv.slice(2).map(Number);
for (const count of counts.length > 0 ? counts : [10_000, 100_000]) await measure(count);
