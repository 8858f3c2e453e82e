import { defined } from "@svc/document/defined";
import { coverageOf } from "@svc/search/best/coverage";
import { type DocumentLayout, type LaidBlock, layoutOf } from "@svc/search/best/layout";
import { isPoorText } from "@svc/search/best/poor-text";
import type { BestHit } from "@svc/search/best/score-document";
import { parseBestQuery } from "@svc/search/query/query";
import { runSearch } from "@svc/search/query/run-search";
import { Workspace } from "@svc/search/testing/workspace";
import type { Page } from "./documentation.ts";

/** A page's index and the id of its block; null for the title. */
type Found = {
  readonly page: number;
  readonly blockId: string | null;
  readonly hit: BestHit;
  readonly coverage: number;
};

/** Our engine with the pages as documents. */
export class Engine {
  readonly #workspace = new Workspace();
  readonly #layouts = new Map<number, DocumentLayout>();
  readonly #places = new Map<number, { page: number; blockId: string | null }>();

  static async over(pages: readonly Page[]): Promise<Engine> {
    const engine = new Engine();
    for (const [index, page] of pages.entries()) await engine.#add(index, page);
    await engine.#workspace.mergeAll();
    return engine;
  }

  async #add(index: number, { title, blocks, outline }: Page): Promise<void> {
    const document = index + 1;
    const all = [{ id: "", text: title, section: "" }, ...blocks];
    const next = this.#workspace.store.counters.nextNumber;
    const rows = all.map(({ text, id }) => ({ text, field: id === "" ? ("title" as const) : ("content" as const) }));
    await this.#workspace.change(document, rows);
    const laid: LaidBlock[] = [];
    const numbers = [...this.#workspace.texts.keys()].filter((number) => number >= next).sort((a, b) => a - b);
    const byText = all.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
    if (numbers.length !== byText.length) throw new Error(`${title}: ${numbers.length} of ${byText.length} blocks.`);
    for (const [i, number] of numbers.entries()) {
      const { id, text, section } = defined(byText[i]);
      this.#places.set(number, { page: index, blockId: id === "" ? null : id });
      laid.push({ number, blockId: id, section, isPoor: isPoorText(text) });
    }
    this.#layouts.set(document, layoutOf(laid, outline));
  }

  async find(text: string, limit = 10): Promise<Found[]> {
    const query = parseBestQuery(text);
    if ("error" in query) return [];
    const { store, caches } = this.#workspace;
    const layouts = async (documents: readonly number[]) =>
      new Map(documents.map((document) => [document, defined(this.#layouts.get(document))]));
    const result = await runSearch(store, caches, query, store.counters, { mode: "topk", limit, layouts });
    if ("error" in result) return [];
    return result.hits.map((hit) => ({
      ...defined(this.#places.get(hit.number)),
      hit: hit as BestHit,
      coverage: coverageOf(query, result.statistics, hit),
    }));
  }
}
