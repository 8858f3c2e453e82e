import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "./defined.ts";
import { type MergeBlock, merge3 } from "./merge3.ts";
import { idOf } from "./schema/node.ts";
import { id, p } from "./testing/builders.ts";
import type { Node } from "./types.ts";

const join: MergeBlock = (_base, theirs, mine) => ({
  ...theirs,
  content: [...defined(theirs.content), ...defined(mine.content)],
});
const blocks = (...texts: readonly string[]): Node[] => texts.map((text) => id(Number.parseInt(text, 36), p(text)));
const shown = (list: readonly Node[]) =>
  list.map((block) => (block.content ?? []).map(({ text }) => text).join("+")).join(" ");
const merge = (base: string, theirs: string, mine: string) =>
  shown(
    merge3(blocks(...base.split(" ")), blocks(...theirs.split(" ")), blocks(...mine.split(" ")), { mergeBlock: join })
      .blocks,
  );

const cases: [what: string, base: string, theirs: string, mine: string, merged: string][] = [
  ["both add at different places", "1 2 3", "1 5 2 3", "1 2 6 3", "1 5 2 6 3"],
  ["both add at one place", "1 2", "1 5 2", "1 6 7 2", "1 6 7 5 2"],
  ["one deletes, one moves", "1 2 3 4", "1 3 4", "4 1 2 3", "4 1 3"],
  ["both move one block: theirs counts", "1 2 3 4", "2 3 4 1", "2 1 3 4", "2 3 4 1"],
  ["mine follows a block that theirs deleted", "1 2 3", "1 3", "1 2 9 3", "1 9 3"],
  ["mine is added at the beginning", "1 2", "2 1", "9 1 2", "9 2 1"],
];
for (const [what, base, theirs, mine, merged] of cases)
  test(`LIVE2 merge by id: ${what}`, () => assert.equal(merge(base, theirs, mine), merged));

test("LIVE2 a block that changed on one side has that side's form; on both it is merged", () => {
  const [base] = [[id(1, p("a")), id(2, p("b")), id(3, p("c"))]];
  const theirs = [id(1, p("A")), defined(base[1]), id(3, p("x"))];
  const mine = [defined(base[0]), id(2, p("B")), id(3, p("y"))];
  const { blocks } = merge3(base, theirs, mine, { mergeBlock: join });
  assert.equal(shown(blocks), "A B x+y");
  assert.equal(blocks[0], theirs[0]);
});

test("LIVE2 a changed block that others deleted is named, and comes back only where that is asked for", () => {
  const [base, mine] = [blocks("1", "2", "3"), [id(1, p("1")), id(2, p("typed")), id(3, p("3"))]];
  const without = merge3(base, blocks("1", "3"), mine, { mergeBlock: join });
  assert.deepEqual([shown(without.blocks), without.lost], ["1 3", [idOf(defined(mine[1]))]]);
  const revived = merge3(base, blocks("1", "3"), mine, { mergeBlock: join, revive: (block) => ({ ...block }) });
  assert.equal(shown(revived.blocks), "1 typed 3");
});

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 10 });
const list = (of: readonly number[], changed: ReadonlySet<number>, who: string) =>
  of.map((n) => id(n, p(changed.has(n) ? who : "same")));
const change = fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 5 }).map((of) => new Set(of));

test("LIVE2 any three lists: nothing twice, nothing that nobody has, nothing lost that nobody deleted", () => {
  fc.assert(
    fc.property(numbers, numbers, numbers, change, change, (base, theirs, mine, byThem, byMe) => {
      const before = list(base, new Set(), "");
      const [a, b] = [list(theirs, byThem, "theirs"), list(mine, byMe, "mine")];
      const merged = merge3(before, a, b, { mergeBlock: join }).blocks.map(idOf);
      assert.equal(new Set(merged).size, merged.length);
      const [inBase, inA, inB] = [before, a, b].map((of) => new Set(of.map(idOf)));
      for (const one of new Set([...defined(inBase), ...defined(inA), ...defined(inB)])) {
        const isThere = defined(inBase).has(one) ? defined(inA).has(one) && defined(inB).has(one) : true;
        assert.equal(merged.includes(one), isThere);
      }
      assert.deepEqual(merge3(before, a, before, { mergeBlock: join }).blocks, a);
      assert.deepEqual(merge3(before, before, b, { mergeBlock: join }).blocks, b);
    }),
  );
});
