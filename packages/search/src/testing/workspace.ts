import { defined } from "@svc/document/defined";
import { type MergePlan, nextMerge } from "../merge/merge-policy.ts";
import { runMerge } from "../merge/run-merge.ts";
import type { Statistics } from "../query/bm25.ts";
import type { SearchResult } from "../query/evaluate.ts";
import { explainer } from "../query/explain.ts";
import { IndexCaches } from "../query/index-caches.ts";
import { parseQuery, type Query } from "../query/query.ts";
import type { Hit } from "../query/result-page.ts";
import { runSearch, type StoredSearchRequest } from "../query/run-search.ts";
import { type BlockChange, indexChange } from "../segment/index-writer.ts";
import { buildSegment } from "../segment/segment-build.ts";
import type { Field } from "../segment/segment-format.ts";
import { mapCaches } from "./map-caches.ts";
import { MemoryStore } from "./memory-store.ts";
import type { ReferenceBlock } from "./reference.ts";

type NewBlock = { field?: Field; text: string };

export function queryOf(text: string): Query {
  const query = parseQuery(text);
  if ("error" in query) throw new Error(`${query.error}: ${text}`);
  return query;
}

/** A workspace's index in memory beside the texts it should contain. */
export class Workspace {
  readonly store = new MemoryStore();
  readonly caches = new IndexCaches(mapCaches);
  /** Live texts by block number. */
  readonly texts = new Map<number, ReferenceBlock>();

  async change(document: number, added: readonly NewBlock[], removed: readonly number[] = []): Promise<number[]> {
    const rows = await this.store.findBlocks(removed);
    const blocks = added.map(({ field = "content", text }) => ({ field, text }));
    const change: BlockChange = { document, added: blocks, removed: rows };
    const indexed = indexChange(this.store.counters.nextNumber, [change], buildSegment(blocks));
    await this.store.changeCounters(indexed.counters);
    if (indexed.segment) await this.store.insertSegment(indexed.segment);
    await this.store.deleteBlocks(removed);
    for (const number of removed) this.texts.delete(number);
    const numbers: number[] = [];
    for (const [i, block] of indexed.added.entries()) {
      if (!block) continue;
      await this.store.insertBlocks([{ ...block, document, blockId: null }]);
      this.texts.set(block.number, { number: block.number, document, ...defined(blocks[i]) });
      numbers.push(block.number);
    }
    return numbers;
  }

  async mergeOnce(plan: MergePlan | undefined = nextMerge(this.store.rows)): Promise<boolean> {
    if (!plan) return false;
    await runMerge(this.store, plan, async () => {});
    return true;
  }

  async mergeAll(): Promise<void> {
    while (await this.mergeOnce());
  }

  async search(text: string, request: Partial<StoredSearchRequest> = {}): Promise<SearchResult> {
    const name = request.accepts || request.named ? {} : { name: text };
    const full = { mode: "topk", limit: 1000, ...name, ...request } as const;
    const result = await runSearch(this.store, this.caches, queryOf(text), this.store.counters, full);
    if ("error" in result) throw new Error(result.error);
    return result;
  }

  /** The texts that match, in index order. */
  async find(text: string): Promise<string[]> {
    const { hits } = await this.search(text, { mode: "exhaustive" });
    return hits.map((hit) => defined(this.texts.get(hit.number)).text);
  }
}

/** The part of an explanation that tests check. */
type Explanation = {
  readonly length: number;
  readonly average_length: number;
  readonly n: number;
  readonly terms: readonly {
    readonly term: string;
    readonly indexed: string;
    readonly kind: string;
    readonly tf: number;
    readonly df: number;
    readonly idf: number;
    readonly length_norm: number;
    readonly contribution: number;
  }[];
};

/** The parsed explanation of a hit. */
export const explained = (query: Query, hit: Hit, statistics: Statistics): Explanation =>
  JSON.parse(explainer(query, statistics)(hit));
