import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBestQuery } from "../query/query.ts";
import { runSearch, type StoredSearchRequest } from "../query/run-search.ts";
import { Workspace } from "../testing/workspace.ts";
import type { DocumentLayout } from "./layout.ts";

/** Numbers in [0, 1) that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** No text has it, but a query that excludes it is not answered from the lists alone. */
const EXCLUDED = "-zzzz";
const WORDS = 60;

async function randomWorkspace(seed: number) {
  const random = randomFrom(seed);
  const word = () => `word${Math.floor(WORDS ** random()) - 1}`;
  const text = () => Array.from({ length: 1 + Math.floor(random() * 20) }, word).join(" ");
  const workspace = new Workspace();
  const numbers = new Map<number, number[]>();
  for (let step = 0; step < 150; step++) {
    const document = 1 + Math.floor(random() * 60);
    const old = numbers.get(document) ?? [];
    const removed = old.filter(() => random() < 0.3);
    const added = Array.from({ length: Math.floor(random() * 6) }, () => ({ text: text() }));
    const titled = old.length === 0 ? [{ field: "title" as const, text: text() }, ...added] : added;
    const made = await workspace.change(document, titled, removed);
    numbers.set(document, [...old.filter((number) => !removed.includes(number)), ...made]);
    if (random() < 0.2) await workspace.mergeOnce();
  }
  return { workspace, word };
}

async function find({ store, caches }: Workspace, text: string, request: Partial<StoredSearchRequest>) {
  const query = parseBestQuery(text);
  assert.ok(!("error" in query));
  const layouts = async () => new Map<number, DocumentLayout>();
  const result = await runSearch(store, caches, query, store.counters, {
    ...{ mode: "topk", limit: 7, layouts },
    ...request,
  });
  assert.ok(!("error" in result));
  return result;
}

for (const seed of [1, 2, 3])
  test(`the lists of the words give the hits, scores and counts of the joined lists [${seed}]`, async () => {
    const { workspace, word } = await randomWorkspace(seed);
    for (let i = 0; i < 40; i++) {
      const text = Array.from({ length: 1 + (i % 6) }, word).join(" ");
      const some = i % 3 === 0 ? { accepts: (document: number) => document % 3 !== 0 } : {};
      const groups = i % 4 === 0 ? { groups: true } : {};
      let after: Partial<StoredSearchRequest> = {};
      for (let page = 0; page < 3; page++) {
        const request = { ...some, ...groups, ...after };
        const fast = await find(workspace, text, request);
        const joined = await find(workspace, `${text} ${EXCLUDED}`, request);
        assert.deepEqual(fast.hits, joined.hits, text);
        assert.deepEqual(fast.groups, joined.groups);
        assert.deepEqual(fast.counts, joined.counts, text);
        assert.deepEqual(fast.statistics, joined.statistics);
        const last = (fast.groups ?? fast.hits).at(-1);
        if (!fast.more || !last) break;
        const { pinned, score, title, number } = last;
        after = { afterKey: { pinned, score, title, number }, frozen: fast.statistics };
      }
    }
  });
