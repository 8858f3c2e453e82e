import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyBatch, parseOperations } from "./blocks/batch.ts";
import { defined } from "./defined.ts";
import { type BlockPlaces, diffPlaces, excerptOf } from "./diff.ts";
import { longestIncreasing } from "./longest-increasing.ts";
import { idOf } from "./schema/node.ts";
import { arbitraryBody } from "./testing/arbitrary-body.ts";
import { arbitraryOperation } from "./testing/arbitrary-operation.ts";
import { countingIds, id, p, quote } from "./testing/builders.ts";
import type { Node } from "./types.ts";

/** Applies changes to a list of ids as a consumer of the change feed does. */
function applyChanges(ids: readonly string[], changes: readonly BlockPlaces[]): string[] {
  const mentioned = new Set(changes.map((change) => change.block_id));
  const list = ids.filter((id) => !mentioned.has(id));
  for (const change of changes) if (change.new_position !== null) list.splice(change.new_position, 0, change.block_id);
  return list;
}

const blocks = (texts: readonly [number, string][]): Node[] => texts.map(([n, text]) => id(n, p(text)));
const brief = (before: readonly Node[], after: readonly Node[]) =>
  diffPlaces(before, after).map((change) => [
    change.change_type,
    change.old_position,
    change.new_position,
    excerptOf(change, before, after),
  ]);

const start: [number, string][] = [
  [1, "a"],
  [2, "b"],
  [3, "c"],
  [4, "d"],
];
const cases: [what: string, after: [number, string][], changes: unknown[]][] = [
  ["nothing", start, []],
  ["an insertion shifts nobody", [[9, "new"], ...start], [["added", null, 0, "new"]]],
  ["a removal shifts nobody", start.slice(1), [["removed", 0, null, "a"]]],
  [
    "one modified block",
    [
      [1, "a"],
      [2, "B"],
      [3, "c"],
      [4, "d"],
    ],
    [["modified", 1, 1, "B"]],
  ],
  [
    "first to last is one move",
    [
      [2, "b"],
      [3, "c"],
      [4, "d"],
      [1, "a"],
    ],
    [["moved", 0, 3, "a"]],
  ],
  [
    "last to first is one move",
    [
      [4, "d"],
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ],
    [["moved", 3, 0, "d"]],
  ],
  [
    "moved and modified is modified",
    [
      [2, "b"],
      [3, "c"],
      [4, "d"],
      [1, "A"],
    ],
    [["modified", 0, 3, "A"]],
  ],
  [
    "all at once",
    [
      [5, "e"],
      [3, "c"],
      [2, "B"],
      [4, "d"],
    ],
    [
      ["removed", 0, null, "a"],
      ["added", null, 0, "e"],
      ["modified", 1, 2, "B"],
    ],
  ],
];
for (const [what, after, changes] of cases)
  test(`diff: ${what}`, () => assert.deepEqual(brief(blocks(start), blocks(after)), changes));

test("a change inside a nested block is a change of its top-level block", () => {
  const before = [id(1, quote(id(2, p("a"))))];
  const after = [id(1, quote(id(2, p("b"))))];
  assert.deepEqual(brief(before, after), [["modified", 0, 0, "b"]]);
});

/** Two lists of blocks with common ids, in any order, some with another text. */
const pair = fc
  .record({
    before: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8]),
    after: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    modified: fc.subarray([1, 2, 3]),
  })
  .map(({ before, after, modified }) => ({
    before: blocks(before.map((n) => [n, `text ${n}`])),
    after: blocks(after.map((n) => [n, modified.includes(n) ? `new ${n}` : `text ${n}`])),
  }));

test("applying the changes to the old list of ids gives the new one; each block is mentioned once", () => {
  fc.assert(
    fc.property(pair, ({ before, after }) => {
      const changes = diffPlaces(before, after);
      assert.deepEqual(applyChanges(before.map(idOf), changes), after.map(idOf));
      assert.equal(new Set(changes.map((change) => change.block_id)).size, changes.length);
      for (const { block_id, old_position, new_position } of changes) {
        if (old_position !== null) assert.equal(idOf(defined(before[old_position])), block_id);
        if (new_position !== null) assert.equal(idOf(defined(after[new_position])), block_id);
      }
    }),
    { seed: 31, numRuns: 2000 },
  );
});

test("the changes of a batch of edits lead from the old list of ids to the new one", () => {
  fc.assert(
    fc.property(arbitraryBody, fc.array(arbitraryOperation, { minLength: 1, maxLength: 5 }), (body, makers) => {
      const newId = countingIds(1000);
      let after = body;
      for (const make of makers) {
        try {
          after = applyBatch(after, parseOperations([make(after)]), newId, { maxCharacters: 1e6 }).body;
        } catch {}
      }
      const changes = diffPlaces(body.content, after.content);
      assert.deepEqual(applyChanges(body.content.map(idOf), changes), after.content.map(idOf));
      const copy = structuredClone(after.content);
      assert.equal(diffPlaces(body.content, copy).length, changes.length);
    }),
    { seed: 33, numRuns: 300 },
  );
});

/** The most blocks that can stay, by trying every subset. */
function mostInOrder(values: readonly number[]): number {
  let most = 0;
  for (let set = 0; set < 1 << values.length; set++) {
    const chosen = values.filter((_, i) => set & (1 << i));
    if (chosen.every((value, i) => i === 0 || defined(chosen[i - 1]) < value)) most = Math.max(most, chosen.length);
  }
  return most;
}

test("no fewer blocks could have moved", () => {
  fc.assert(
    fc.property(pair, ({ before, after }) => {
      const texts = before.map((node) => JSON.stringify(node));
      const same = after.map((node) => texts.indexOf(JSON.stringify(node))).filter((position) => position >= 0);
      const moved = diffPlaces(before, after).filter((change) => change.change_type === "moved");
      assert.equal(moved.length, same.length - mostInOrder(same));
    }),
    { seed: 32, numRuns: 500 },
  );
});

test("a longest increasing subsequence of many values is found quickly", () => {
  const values = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 200_003);
  const found = longestIncreasing(values);
  assert.ok(found.length > 100);
  assert.ok(
    found.every(
      (index, i) =>
        i === 0 || (defined(found[i - 1]) < index && defined(values[defined(found[i - 1])]) < defined(values[index])),
    ),
  );
  assert.deepEqual(longestIncreasing([]), []);
});

test("reversing ten thousand blocks leaves one in place", () => {
  const before = Array.from({ length: 10_000 }, (_, i) => id(i, p(`${i}`)));
  const changes = diffPlaces(before, before.toReversed());
  assert.equal(changes.filter((change) => change.change_type === "moved").length, 9_999);
  assert.deepEqual(applyChanges(before.map(idOf), changes), before.map(idOf).reverse());
});
