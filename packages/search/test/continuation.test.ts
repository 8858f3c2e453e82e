import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import type { Hit } from "../src/query/result-page.ts";
import { runSearch } from "../src/query/run-search.ts";
import { queryOf, Workspace } from "../src/testing/workspace.ts";

async function filled(count: number): Promise<Workspace> {
  const workspace = new Workspace();
  for (let i = 0; i < count; i++) await workspace.change(i % 7, [{ text: `cat ${"word ".repeat(i % 5)} n${i}` }]);
  return workspace;
}

describe("continuation", () => {
  it("of topk neither overlaps nor skips while others write, with the statistics of the first page", async () => {
    const workspace = await filled(100);
    const expected = (await workspace.search("cat")).hits;
    const first = await workspace.search("cat", { limit: 7 });
    const hits: Hit[] = [...first.hits];
    for (let page = first; page.more; ) {
      await workspace.change(50, [{ text: "cat cat cat cat brand new" }, { text: "dog" }]);
      await workspace.mergeAll();
      page = await workspace.search("cat", { limit: 7, afterKey: defined(page.hits.at(-1)), frozen: first.statistics });
      hits.push(...page.hits);
    }
    const isOld = (hit: Hit): boolean => hit.number <= 100;
    assert.deepEqual(
      hits.filter(isOld).map(({ number, score }) => [number, score]),
      expected.map(({ number, score }) => [number, score]),
    );
  });

  it("of an exhaustive walk returns unchanged blocks once and edited ones in their last version", async () => {
    const workspace = await filled(60);
    const returned: number[] = [];
    let after = -1;
    for (let page = 0; ; page++) {
      const { hits, more } = await workspace.search("cat", { mode: "exhaustive", limit: 6, afterNumber: after });
      returned.push(...hits.map((hit) => hit.number));
      after = hits.at(-1)?.number ?? after;
      if (!more) break;
      if (page < 8) {
        await workspace.change(1, [{ text: `cat edited ${page}` }], [page * 2 + 1]);
        await workspace.change(2, [], [60 - page]);
      }
      await workspace.mergeAll();
    }
    assert.equal(new Set(returned).size, returned.length);
    for (const number of workspace.texts.keys()) assert.ok(returned.includes(number));
    assert.deepEqual(
      returned,
      returned.toSorted((a, b) => a - b),
    );
  });

  it("says whether more follows and counts the whole result on every page", async () => {
    const workspace = await filled(20);
    for (const mode of ["topk", "exhaustive"] as const) {
      const all = await workspace.search("cat", { mode, limit: 20 });
      assert.deepEqual([all.hits.length, all.more, all.counts.total], [20, false, 20]);
      const some = await workspace.search("cat", { mode, limit: 19 });
      assert.deepEqual([some.hits.length, some.more, some.counts.total], [19, true, 20]);
    }
    const last = await workspace.search("cat", { mode: "exhaustive", limit: 5, afterNumber: 18 });
    assert.deepEqual([last.hits.map((hit) => hit.number), last.more, last.counts.total], [[19, 20], false, 20]);
  });

  it("finds the pages of an unchanged index without evaluating the query again", async () => {
    const workspace = await filled(60);
    const { store, caches } = workspace;
    const walk = async (page: number, reads = store) =>
      runSearch(reads, caches, queryOf("cat"), store.counters, {
        name: "cat",
        mode: "exhaustive",
        limit: 20,
        afterNumber: page * 20,
      });
    const shut = new Proxy(store, {
      get: (target, name) => (name === "workspaceId" ? target.workspaceId : assert.fail(`${String(name)} is read`)),
    });
    const first = await walk(0);
    assert.ok("hits" in first && first.hits.length === 20 && first.more);
    const second = await walk(1, shut);
    assert.ok("hits" in second);
    assert.deepEqual([second.counts.total, second.hits[0]?.number], [60, 21]);
    await workspace.change(1, [{ text: "cat again" }], [25]);
    await assert.rejects(walk(1, shut));
    const changed = await walk(1);
    assert.ok("hits" in changed && !changed.hits.some((hit) => hit.number === 25));
  });
});
