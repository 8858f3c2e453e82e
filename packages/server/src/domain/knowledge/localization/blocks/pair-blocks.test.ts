import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matchReplaced, pairRuns } from "./pair-blocks.ts";

/** `a:p=x` is a block with the id a, the kind p and the line x; the line is left out when empty. */
const blocks = (text: string) =>
  text
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      const [, id = "", kind = "", line] = /^(\w+):(\w+)(?:=(\w+))?$/.exec(part) ?? [];
      return { id, kind, hash: line ?? null };
    });

describe("blocks that take the place of others", () => {
  const cases: [title: string, before: string, after: string, pairs: Record<string, string>][] = [
    ["nothing is new", "a:p=x b:p=y", "b:p=y", {}],
    ["the same line under another id", "a:p=x b:p=y", "c:p=y a:p=x", { b: "c" }],
    ["the same line of another kind is not the same", "a:p=x", "c:h=x", {}],
    ["equal lines in their order", "a:p=x b:p=x", "c:p=x d:p=x", { a: "c", b: "d" }],
    ["by place between what stayed", "a:p=x b:p=y c:p=z", "a:p=x d:p=w c:p=z", { b: "d" }],
    ["from the front and from the back", "a:h=1 b:p=2 c:q=3", "d:h=4 e:x=5 f:p=6 g:q=7", { a: "d", c: "g", b: "f" }],
    ["never past a block of another kind", "a:p=1 b:h=2 c:p=3", "d:q=4 e:h=5 f:q=6", {}],
    ["not across what stayed", "a:p=1 s:p=s", "s:p=s b:p=2", {}],
    ["empty lines by place alone", "a:p b:p", "c:p d:p", { a: "c", b: "d" }],
  ];
  for (const [title, before, after, pairs] of cases)
    test(`LOC18 ${title}`, () => {
      assert.deepEqual(Object.fromEntries(matchReplaced(blocks(before), blocks(after))), pairs);
    });

  test("LOC18 ten thousand blocks without ids take no time to speak of", () => {
    const many = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, i) => ({ id: `${prefix}${i}`, kind: "p", hash: String(i % 7) }));
    const start = process.cpuUsage();
    assert.equal(matchReplaced(many("a"), many("b")).size, 10_000);
    assert.ok(process.cpuUsage(start).user < 1_000_000);
  });
});

test("LOC19 blocks that take no part are passed over", () => {
  const links: Record<string, string | null> = { a: "A", o: null };
  const pairs = pairRuns(
    blocks("a:p o:p b:p c:p"),
    blocks("A:p X:p B:p"),
    (id) => (id in links ? links[id] : undefined),
    (id) => id === "B",
  );
  assert.deepEqual([...pairs], [["b", "B"]]);
});
