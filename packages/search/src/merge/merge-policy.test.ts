import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import { unpackNumbers } from "../segment/packed-numbers.ts";
import { deadNumbers } from "../segment/segment-view.ts";
import { Workspace } from "../testing/workspace.ts";
import { nextMerge } from "./merge-policy.ts";
import { runMerge } from "./run-merge.ts";

const levels = (workspace: Workspace): number[] => workspace.store.rows.map((row) => row.level);

async function insert(workspace: Workspace, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await workspace.change(i, [{ text: `word${i % 50} common text` }]);
    await workspace.mergeAll();
  }
}

describe("merge policy", () => {
  it("merges sixteen of level 0 and eight of a higher level", async () => {
    const workspace = new Workspace();
    await insert(workspace, 15);
    assert.deepEqual(levels(workspace), new Array(15).fill(0));
    await insert(workspace, 1);
    assert.deepEqual(levels(workspace), [1]);
    await insert(workspace, 16 * 7);
    assert.deepEqual(levels(workspace), [2]);
    await insert(workspace, 16 + 3);
    assert.deepEqual(levels(workspace), [2, 1, 0, 0, 0]);
  });

  it("takes no more than 64 at once, the oldest first", async () => {
    const workspace = new Workspace();
    for (let i = 0; i < 100; i++) await workspace.change(i, [{ text: `word${i}` }]);
    const { rows } = workspace.store;
    assert.deepEqual(nextMerge(rows)?.inputs, rows.slice(0, 64));
    await workspace.mergeAll();
    assert.deepEqual(levels(workspace), [1, 1]);
  });

  it("keeps the number of segments and the dead bounded under edits of one block and deletions", async () => {
    const workspace = new Workspace();
    await insert(workspace, 300);
    for (let i = 0, number = 300; i < 1000; i++) {
      [number = -1] = await workspace.change(1, [{ text: `edited ${i} common` }], [number]);
      await workspace.mergeAll();
      assert.ok(workspace.store.rows.length <= 40);
    }
    for (const number of [...workspace.texts.keys()].slice(0, 280)) {
      await workspace.change(1, [], [number]);
      await workspace.mergeAll();
    }
    const blocks = workspace.store.rows.reduce((sum, row) => sum + row.blocks, 0);
    assert.ok(blocks <= 20 * 1.25 + 16, `${blocks} blocks kept for 20 live ones`);
    assert.equal((await workspace.search("common")).counts.total, 20);
  });

  it("leaves nothing when everything was removed", async () => {
    const workspace = new Workspace();
    const numbers = await workspace.change(
      1,
      Array.from({ length: 40 }, (_, i) => ({ text: `only ${i}` })),
    );
    await insert(workspace, 15);
    await workspace.change(1, [], numbers);
    for (const number of [...workspace.texts.keys()]) await workspace.change(1, [], [number]);
    await workspace.mergeAll();
    assert.deepEqual(workspace.store.rows, []);
    assert.equal(workspace.store.pages.size, 0);
    assert.deepEqual([workspace.store.counters.blocks, workspace.store.counters.totalLength], [0, 0]);
  });

  it("records a removal in one place until the block is gone", async () => {
    const workspace = new Workspace();
    await insert(workspace, 16 * 8);
    for (let number = 1; number <= 20; number++) {
      await workspace.change(1, [{ text: "new" }], [number]);
      await workspace.mergeAll();
    }
    const { rows } = workspace.store;
    const recorded = rows.flatMap((row) => [...unpackNumbers(row.removed), ...unpackNumbers(row.tombstones)]);
    assert.equal(new Set(recorded).size, recorded.length);
    const dead = deadNumbers(rows, (id) => unpackNumbers(defined(rows.find((row) => row.id === id)).tombstones)).reduce(
      (sum, numbers) => sum + numbers.length,
      0,
    );
    assert.equal(dead, recorded.length);
    assert.equal(rows.reduce((sum, row) => sum + row.blocks, 0) - dead, workspace.texts.size);
  });

  it("merges level 0 beside a longer merge and loses no removal", async () => {
    const workspace = new Workspace();
    for (let i = 0; i < 16 * 8 - 1; i++) await workspace.change(i, [{ text: `common ${i}` }]);
    for (let level = 0; level < 7; level++) {
      const inputs = workspace.store.rows.filter((row) => row.level === 0).slice(0, 16);
      await workspace.mergeOnce({ inputs, level: 1 });
    }
    await workspace.change(200, [{ text: "common last" }]);
    await workspace.mergeOnce();
    const long = defined(nextMerge(workspace.store.rows));
    assert.equal(long.level, 2);
    const busy = new Set(long.inputs.map((row) => row.id));
    let steps = 0;
    await runMerge(workspace.store, long, async () => {
      if (steps++ > 0) return;
      for (let number = 1; number <= 16; number++) await workspace.change(1, [{ text: "common again" }], [number]);
      const short = defined(nextMerge(workspace.store.rows, busy));
      assert.equal(short.level, 1);
      await workspace.mergeOnce(short);
    });
    assert.equal(workspace.store.counters.blocks, workspace.texts.size);
    const { hits } = await workspace.search("common", { mode: "exhaustive" });
    assert.deepEqual(
      hits.map((hit) => hit.number),
      [...workspace.texts.keys()],
    );
  });
});
