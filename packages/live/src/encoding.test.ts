import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { arbitraryBody } from "@svc/document/testing/arbitrary-body";
import { id, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import fc from "fast-check";
import * as Y from "yjs";
import { LiveState } from "./live-state.ts";
import { mergeBlock } from "./merge-block.ts";
import { keyBetween, keysBetween } from "./order-key.ts";
import { plain } from "./testing/plain.ts";
import { diffSteps } from "./text-diff.ts";

const stateOf = (live: LiveState) => Y.encodeStateAsUpdate(live.doc);

test("LIVE1 any body comes back from its live state as it was", () => {
  fc.assert(
    fc.property(arbitraryBody, (body) => {
      const live = LiveState.fromUpdates([stateOf(LiveState.fromBlocks(body.content, 1))]);
      assert.deepEqual(live.blocks, body.content.map(plain));
    }),
  );
});

test("LIVE1 marks keep an unusual order, text its attributes, and names that begin like ours are told apart", () => {
  const text: Node = {
    type: "text",
    attrs: { note: 1 },
    marks: [{ type: "italic" }, { type: "bold", attrs: {} }, { type: "link", attrs: { href: "x", deep: [1] } }],
    text: "a",
  };
  const block: Node = {
    type: "paragraph",
    attrs: { "@type": "x", "@@order": 2, id: defined(defined(id(1, p()).attrs).id) },
    content: [text],
  };
  const live = LiveState.fromUpdates([stateOf(LiveState.fromBlocks([block], 1))]);
  assert.deepEqual(live.blocks, [block]);
});

test("LIVE1 a live state becomes any other body, and so do its replicas", () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryBody, (one, other) => {
      const live = LiveState.fromBlocks(one.content, 1);
      const replica = LiveState.fromUpdates([stateOf(live)]);
      live.setBlocks(other.content);
      replica.apply([stateOf(live)]);
      assert.deepEqual(live.blocks, other.content.map(plain));
      assert.deepEqual(replica.blocks, live.blocks);
    }),
  );
});

test("LIVE1 a change of one character is a small update", () => {
  const blocks = Array.from({ length: 50 }, (_, i) => id(i + 1, p(`paragraph number ${i}`)));
  const live = LiveState.fromBlocks(blocks, 1);
  live.takeChanged();
  const before = Y.encodeStateVector(live.doc);
  live.setBlocks([...blocks.slice(0, 10), id(11, p("paragraph! number 10")), ...blocks.slice(11)]);
  assert.deepEqual([...live.takeChanged()], [defined(id(11, p()).attrs).id]);
  assert.ok(Y.encodeStateAsUpdate(live.doc, before).length < 60);
});

test("LIVE3 keys: between any two, a thousand steps from the right side stay short", () => {
  for (const side of ["left", "right"] as const) {
    let [left = "", right = ""] = keysBetween(undefined, undefined, 2);
    for (let i = 0; i < 1000; i++) {
      const key = keyBetween(left, right, side);
      assert.ok(left < key && key < right, `${left} ${key} ${right}`);
      assert.ok(key.length <= 8);
      if (side === "left") left = key;
      else right = key;
    }
  }
  let right: string | undefined;
  for (let i = 0; i < 40; i++) {
    const key = keyBetween("V", right, "left");
    assert.ok(key > "V" && (right === undefined || key < right));
    right = key;
  }
  const spread = keysBetween("a", "b", 500);
  assert.deepEqual(spread, [...spread].sort());
  assert.equal(new Set(spread).size, 500);
});

test("LIVE2 steps between any two texts lead from one to the other", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", " ", "é", "😀"), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      let [i, j] = [0, 0];
      const result: string[] = [];
      for (const { kind, count } of diffSteps(before, after)) {
        if (kind === "keep") result.push(...before.slice(i, i + count));
        if (kind === "insert") result.push(...after.slice(j, j + count));
        if (kind !== "insert") i += count;
        if (kind !== "delete") j += count;
      }
      assert.deepEqual([result, i, j], [after, before.length, after.length]);
    }),
  );
});

const merged = (base: string, theirs: string, mine: string) =>
  mergeBlock(id(1, p(base)), id(1, p(theirs)), id(1, p(mine)))
    .content?.map(({ text }) => text)
    .join("");

test("LIVE2 two changes of one paragraph are both there", () => {
  assert.equal(merged("The cat sat.", "The black cat sat.", "The cat sat down."), "The black cat sat down.");
  assert.equal(merged("one two", "one", "one two three"), "one three");
  assert.equal(merged("", "theirs", "mine"), "theirsmine");
});

test("LIVE2 a paragraph that becomes a heading keeps what others type into it", () => {
  const heading: Node = { ...id(1, p("Title")), type: "heading", attrs: { ...id(1, p()).attrs, level: 2 } };
  const block = mergeBlock(id(1, p("Title")), heading, id(1, p("Title of mine")));
  assert.deepEqual([block.type, block.content?.[0]?.text], ["heading", "Title of mine"]);
});
