import assert from "node:assert/strict";
import { test } from "node:test";
import { compareBlocks, nearChanges } from "./compare.ts";
import { defined } from "./defined.ts";
import { matchBlocks } from "./match.ts";
import { h, id, li, p, ul } from "./testing/builders.ts";
import type { Node } from "./types.ts";

const brief = (old: Node[], current: Node[]) =>
  compareBlocks(old, current).map((change) => [
    change.change_type,
    change.excerpt,
    change.old_position,
    change.new_position,
  ]);

const texts = ["One plain paragraph.", "Two has other words in it.", "Three ends the text."];
const body = (from: number, list: readonly string[]): Node[] => list.map((text, i) => id(from + i, p(text)));

test("VER9 a block that only has another id is no difference", () => {
  assert.deepEqual(brief(body(1, texts), body(11, texts)), []);
});

test("VER9 with new ids, an edited block is modified, with its changed words", () => {
  const current = body(11, [defined(texts[0]), "Two has better words in it.", defined(texts[2]), "Four is new here."]);
  const [change, added] = compareBlocks(body(1, texts), current);
  assert.equal(defined(change).change_type, "modified");
  assert.equal(defined(change).old_block_id, defined(defined(body(1, texts)[1]).attrs).id);
  assert.deepEqual(defined(change).words, [
    { kind: "same", text: "Two has " },
    { kind: "removed", text: "other" },
    { kind: "added", text: "better" },
    { kind: "same", text: " words in it." },
  ]);
  assert.equal(defined(added).change_type, "added");
});

test("VER9 a block that moved under a new id is moved; what is gone is removed", () => {
  const current = body(11, [defined(texts[2]), defined(texts[0])]);
  assert.deepEqual(brief(body(1, texts), current), [
    ["removed", texts[1], 1, null],
    ["moved", texts[2], 2, 0],
  ]);
});

test("VER9 an id tells more than content", () => {
  const old = [id(1, p("alpha")), id(2, p("beta"))];
  assert.deepEqual(brief(old, [id(1, p("beta")), id(2, p("alpha"))]), [
    ["modified", "beta", 0, 0],
    ["modified", "alpha", 1, 1],
  ]);
});

test("VER9 unchanged text far from a change is left out", () => {
  const far = "word ".repeat(200);
  const runs = nearChanges([
    { kind: "same", text: far },
    { kind: "added", text: "new" },
    { kind: "same", text: far },
  ]);
  assert.deepEqual(
    runs.map(({ kind }) => kind),
    ["omitted", "same", "added", "same", "omitted"],
  );
  for (const { text } of runs) assert.ok(text.length <= 160);
});

const pairs = (old: Node[], current: Node[]) => {
  const keyOf = (node: Node) => JSON.stringify(node.content);
  return matchBlocks(old, current, [], { old: keyOf, current: keyOf }, true);
};

test("BODY27 a new block before an edited one does not take its place", () => {
  const old = [p("The cat sat on the mat today.")];
  const current = [p("A wholly different beginning stands here."), p("The cat sat on the red mat today.")];
  assert.deepEqual(pairs(old, current), [[0, 1]]);
});

test("BODY27 equal blocks are told apart by their neighbours at both ends", () => {
  const rule = { type: "horizontalRule" };
  const old = [p("a"), rule, p("b"), rule, p("c")];
  assert.deepEqual(pairs(old, [p("b"), rule, p("c")]), [
    [2, 0],
    [3, 1],
    [4, 2],
  ]);
});

test("BODY27 where as many are left, the block of the same type at the same place was rewritten", () => {
  assert.deepEqual(pairs([h(1, "Old"), p("x y")], [h(1, "Fresh"), p("z")]), [
    [0, 0],
    [1, 1],
  ]);
  assert.deepEqual(pairs([h(1, "Old")], [p("Fresh")]), []);
  assert.deepEqual(pairs([ul(li(p("a")))], [p("b"), ul(li(p("c")))]), []);
});

test("BODY27 matching very many unlike blocks takes linear time", () => {
  const many = (word: string) => Array.from({ length: 30_000 }, (_, i) => p(`${word} ${i} ${word}${i}`));
  const start = process.cpuUsage();
  assert.equal(pairs(many("old"), many("new")).length, 30_000);
  assert.ok(process.cpuUsage(start).user < 3_000_000);
});
