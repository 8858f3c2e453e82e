import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { arbitraryBody } from "../testing/arbitrary-body.ts";
import { arbitraryOperation } from "../testing/arbitrary-operation.ts";
import * as build from "../testing/builders.ts";
import { naiveApply } from "../testing/naive-edit.ts";
import { createBlockIndex } from "./block-index.ts";
import { getBlock } from "./context.ts";
import { blockIds, listBlocks, locate, nodeAt } from "./find.ts";
import { findAll } from "./find-all.ts";

const { doc, p, h, ul, li, id, idFor } = build;
const body = doc(id(1, h(1, "One")), id(2, ul(id(3, li(id(4, p("a")), id(5, p("b")))))));

test("a nested block is found with its place", () => {
  const found = getBlock(body, idFor(5), {});
  const item = defined(defined(defined(body.content[1]).content)[0]);
  assert.deepEqual(found, {
    node: defined(item.content)[1],
    path: [1, 0, 1],
    parent: item,
    parentId: idFor(3),
    position: 1,
    depth: 2,
  });
  assert.equal(getBlock(body, idFor(1), {}).parentId, null);
  assert.equal(locate(body, idFor(9)), undefined);
});

test("an inline node is never found by an id it happens to have", () => {
  assert.equal(locate(doc(id(1, p({ type: "hardBreak", attrs: { id: idFor(2) } }))), idFor(2)), undefined);
});

test("lists are flat or recursive, parents first", () => {
  assert.deepEqual(
    listBlocks(body).map((info) => info.id),
    [idFor(1), idFor(2)],
  );
  assert.deepEqual(
    listBlocks(body, { recursive: true }).map((info) => [info.type, info.parent_id, info.position, info.depth]),
    [
      ["heading", null, 0, 0],
      ["bulletList", null, 1, 0],
      ["listItem", idFor(2), 0, 1],
      ["paragraph", idFor(3), 0, 2],
      ["paragraph", idFor(3), 1, 2],
    ],
  );
});

test("every listed block is found where it is", () => {
  fc.assert(
    fc.property(arbitraryBody, (any) => {
      for (const info of listBlocks(any, { recursive: true })) {
        const found = getBlock(any, info.id, {});
        assert.equal(found.node, info.node);
        assert.equal(nodeAt(any, found.path), info.node);
        assert.deepEqual([found.position, found.depth, found.parentId], [info.position, info.depth, info.parent_id]);
      }
    }),
    { seed: 41, numRuns: 100 },
  );
});

test("an index that follows edits knows what a fresh walk finds", () => {
  fc.assert(
    fc.property(arbitraryBody, fc.array(arbitraryOperation, { maxLength: 6 }), (first, makers) => {
      const index = createBlockIndex(first);
      const newId = build.countingIds(1000);
      let current = first;
      for (const make of makers) {
        let next = current;
        try {
          next = naiveApply(current, make(current), newId);
        } catch {}
        index.follow(current, next);
        current = next;
        for (const known of blockIds(current.content))
          assert.deepEqual(index.locate(current, known), locate(current, known));
        for (const old of blockIds(first.content)) assert.equal(index.has(old), blockIds(current.content).has(old));
      }
    }),
    { seed: 42, numRuns: 80 },
  );
});

test("all occurrences are found, as naively, for short and long patterns", () => {
  const ab = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 90 }).map((list) => list.join(""));
  fc.assert(
    fc.property(ab, fc.array(ab, { maxLength: 6 }), (pattern, parts) => {
      const text = parts.join(pattern);
      const wanted: number[] = [];
      for (let i = 0; i + pattern.length <= text.length; i++)
        if (text.slice(i, i + pattern.length) === pattern) i = defined(wanted[wanted.push(i) - 1]) + pattern.length - 1;
      assert.deepEqual(findAll(text, pattern), wanted);
    }),
    { seed: 43, numRuns: 500 },
  );
});

test("a hostile pattern takes linear time", () => {
  const text = "a".repeat(2_000_000);
  assert.deepEqual(findAll(text, `b${"a".repeat(500_000)}`), []);
  assert.deepEqual(findAll(text, `${"a".repeat(500_000)}b`), []);
  assert.equal(findAll(text, "a".repeat(500_000)).length, 4);
  assert.deepEqual(findAll(text, `${"a".repeat(31)}b${"a".repeat(31)}`), []);
});
