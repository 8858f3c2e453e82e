import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { hasBlockId } from "../schema/nodes.ts";
import type { Node } from "../types.ts";
import { anchorBlock, parseAnchored, serialiseAnchored } from "./anchors.ts";
import { parseMarkdown } from "./parse.ts";
import { withIds } from "./reconcile.ts";
import { wordsOf } from "./restyle.ts";
import { serialiseBlock } from "./serialise.ts";
import { anyBlocks, node, settled } from "./testing/markdown-bodies.ts";

const numbered = (prefix = "new"): (() => string) => {
  let next = 0;
  return () => `block_${prefix}${next++}`;
};
const body = (markdown: string): Node[] => {
  const newId = numbered("old");
  return parseMarkdown(markdown).map((block) => withIds(block, newId));
};
const anchored = (blocks: readonly Node[]): string => serialiseAnchored(blocks, new Map()).text;
const ids = (blocks: readonly Node[]): unknown[] => blocks.map((block) => block.attrs?.id);
const reread = (text: string, blocks: readonly Node[]): Node[] => parseAnchored(text, blocks, numbered());
const throwsCode = (code: string, id: string, run: () => unknown): void => {
  assert.throws(run, (error) => error instanceof DocumentError && error.code === code && error.details.block_id === id);
};

describe("writing", () => {
  test("each top-level block has its anchor, a heading also its slug", () => {
    const blocks = body("# Title\n\ntext\n\n- a\n- b");
    const { text } = serialiseAnchored(blocks, new Map([["block_old0", "title"]]));
    assert.equal(
      text,
      "<!--@block=block_old0 #title-->\n# Title\n\n<!--@block=block_old1-->\ntext\n\n<!--@block=block_old2-->\n- a\n- b\n",
    );
  });
});

describe("writing back what was read", () => {
  test("HTML5 HTML without its end leaves the anchor behind it alone", () => {
    const open: Node = { type: "rawHtml", attrs: { id: "block_a", html: "<!-- never ended" } };
    const blocks = [open, withIds(defined(parseMarkdown("text")[0]), () => "block_b")];
    assert.deepEqual(ids(reread(anchored(blocks), blocks)), ["block_a", "block_b"]);
  });

  test("keeps every block of any body exactly", () => {
    fc.assert(
      fc.property(anyBlocks, (raw) => {
        const newId = numbered("old");
        const blocks = raw.map((block) => withIds(settled(block), newId));
        const again = reread(anchored(blocks), blocks);
        assert.equal(again.length, blocks.length);
        blocks.forEach((block, i) => void assert.equal(again[i], block));
        const windows = reread(anchored(blocks).replace(/\n$/, "").replaceAll("\n", "\r\n"), blocks);
        assert.equal(windows.length, blocks.length);
        blocks.forEach((block, i) => void assert.equal(windows[i], block));
      }),
      { seed: Number(process.env.SEED ?? 5), numRuns: Number(process.env.RUNS ?? 500) },
    );
  });

  test("keeps empty paragraphs, alone and in a row", () => {
    const blocks = [node("paragraph"), node("paragraph"), node("horizontalRule"), node("paragraph")].map((block, i) =>
      withIds(block, () => `block_${i}`),
    );
    assert.deepEqual(reread(anchored(blocks), blocks), blocks);
  });
});

const allIds = (blocks: readonly Node[]): unknown[] =>
  blocks.flatMap((block) => (hasBlockId(block.type) ? [block.attrs?.id, ...allIds(block.content ?? [])] : []));

test("after any edit, untouched blocks are kept exactly, ids are unique, and a second reading changes nothing", () => {
  const edit = fc.record({
    keep: fc.boolean(),
    cut: fc.nat(60),
    put: fc.constantFrom("", "", "x", "\n\nnew", "\n- y", "**"),
  });
  fc.assert(
    fc.property(anyBlocks, fc.array(edit, { minLength: 4, maxLength: 4 }), fc.boolean(), (raw, edits, reverse) => {
      const newId = numbered("old");
      const blocks = raw.map((block) => withIds(settled(block), newId));
      const chunks = blocks.map((block, i) => {
        const { keep, cut, put } = defined(edits[i % edits.length]);
        const chunk = anchored([block]);
        // Inside anything but a line of text, an edit may open a fence that swallows what follows.
        const isLine = block.type === "paragraph" || block.type === "heading";
        const at = isLine ? Math.max(chunk.indexOf("\n") + 1, chunk.length - cut) : chunk.length;
        return { block, put, chunk: keep ? `${chunk.slice(0, at)}${put}${chunk.slice(at)}` : "dropped\n" };
      });
      if (reverse) chunks.reverse();
      // As it is sent: UTF-8 has no half of a surrogate pair, which an edit may leave.
      const sent = chunks.map(({ chunk }) => chunk.toWellFormed());
      const again = reread(sent.join("\n\n"), blocks);
      assert.equal(new Set(allIds(again)).size, allIds(again).length);
      for (const { block, put, chunk } of chunks)
        if (put === "" && chunk.startsWith("<!--@")) assert.ok(again.includes(block));
      reread(anchored(again), again).forEach((block, i) => void assert.equal(block, again[i]));
    }),
    { seed: Number(process.env.SEED ?? 6), numRuns: Number(process.env.RUNS ?? 400) },
  );
});

describe("reading", () => {
  test("a kept anchor keeps its id, a block without one gets a new id, a block left out is gone", () => {
    const blocks = body("one\n\ntwo\n\nthree");
    const text = "<!--@block=block_old2-->\nthree!\n\nnew\n\n<!--@block=block_old0-->\none";
    const again = reread(text, blocks);
    assert.deepEqual(ids(again), ["block_old2", "block_new0", "block_old0"]);
    assert.equal(again[2], blocks[0]);
  });

  test("text without anchors is new throughout", () => {
    assert.deepEqual(ids(reread("one\n\ntwo", body("one\n\ntwo"))), ["block_new0", "block_new1"]);
  });

  test("an anchor belongs to the first block after it", () => {
    const blocks = body("one");
    const again = reread("before\n\n<!--@block=block_old0-->\n\none\n\nafter", blocks);
    assert.deepEqual(ids(again), ["block_new0", "block_old0", "block_new1"]);
    assert.equal(again[1], blocks[0]);
  });

  test("up to three blanks before an anchor make no difference", () => {
    const blocks = body("one");
    assert.equal(reread("   <!--@block=block_old0-->\none", blocks)[0], blocks[0]);
    throwsCode("unknown_anchor", "block_x", () => reread(" <!--@block=block_x-->\none", blocks));
  });

  test("the same anchor twice is refused", () => {
    const text = "<!--@block=block_old0-->\none\n\n<!--@block=block_old0 #x-->\ntwo";
    throwsCode("duplicate_anchor", "block_old0", () => reread(text, body("one")));
  });

  test("an anchor of no top-level block is refused, malformed ones too", () => {
    throwsCode("unknown_anchor", "block_x", () => reread("<!--@block=block_x-->\none", body("one")));
    throwsCode("unknown_anchor", "block_old1", () => reread("<!--@block=block_old1-->\none", body("- one")));
    throwsCode("unknown_anchor", "?", () => reread("<!--@block=?-->\none", []));
  });

  test("anchors in code are text", () => {
    const text = "```\n<!--@block=block_x-->\n```\n\n    <!--@block=block_y-->\n\n`<!--@block=block_z-->`";
    assert.deepEqual(reread(text, []).map(settled), parseMarkdown(text));
    assert.ok(JSON.stringify(reread(text, [])).includes("block_z"));
  });

  test("an anchor with nothing under it is an empty paragraph", () => {
    const blocks = body("one\n\ntwo");
    const again = reread("<!--@block=block_old0-->\n\n<!--@block=block_old1-->\n", blocks);
    assert.deepEqual(again, [
      { type: "paragraph", attrs: { id: "block_old0" } },
      { type: "paragraph", attrs: { id: "block_old1" } },
    ]);
  });

  test("text added right after a block's own text is that block's change only if it runs into it", () => {
    const blocks = body("- a\n- b");
    const joined = reread("<!--@block=block_old0-->\n- a\n- b\n- c", blocks);
    assert.equal(joined.length, 1);
    const apart = reread("<!--@block=block_old0-->\n- a\n- b\n\ntext", blocks);
    assert.deepEqual([apart[0], apart.length], [blocks[0], 2]);
  });
});

describe("nested ids", () => {
  const itemIds = (blocks: readonly Node[]): unknown[] => ids(defined(defined(blocks[0]).content));

  test("items that are still there keep theirs, a new one in between gets a new one", () => {
    const blocks = body("- a\n- b\n- c");
    const [a, b, c] = itemIds(blocks);
    const again = reread("<!--@block=block_old0-->\n- a\n- x\n- b\n- c", blocks);
    assert.deepEqual(itemIds(again), [a, "block_new0", b, c]);
    assert.equal(defined(defined(again[0]).content)[3], defined(defined(blocks[0]).content)[2]);
  });

  test("items that changed places keep theirs, beside one that changed and one that went", () => {
    const blocks = body("- a\n- b\n- c\n- d\n- e");
    const [a, b, , d, e] = itemIds(blocks);
    const again = reread("<!--@block=block_old0-->\n- e\n- d\n- a\n- B", blocks);
    assert.deepEqual(itemIds(again), [e, d, a, b]);
    assert.equal(defined(defined(again[0]).content)[0], defined(defined(blocks[0]).content)[4]);
  });

  test("items keep theirs when bullets become numbers", () => {
    const blocks = body("- a\n- b");
    const again = reread("<!--@block=block_old0-->\n1. a\n2. B", blocks);
    assert.deepEqual([defined(again[0]).type, defined(defined(again[0]).attrs).id], ["orderedList", "block_old0"]);
    assert.deepEqual(itemIds(again), itemIds(blocks));
  });

  test("a changed item keeps its id and its paragraph's", () => {
    const blocks = body("- a\n- b\n- c");
    const again = reread("<!--@block=block_old0-->\n- a\n- B\n- c", blocks);
    assert.deepEqual(itemIds(again), itemIds(blocks));
    assert.equal(
      defined(defined(defined(defined(defined(defined(again[0]).content)[1]).content)[0]).attrs).id,
      defined(defined(defined(defined(defined(defined(blocks[0]).content)[1]).content)[0]).attrs).id,
    );
  });

  test("what Markdown cannot say survives an edit elsewhere in the block", () => {
    const cell = (text: string, attrs = {}): Node =>
      node("tableCell", [node("paragraph", [{ type: "text", text }])], attrs);
    const head = node("tableRow", [{ ...cell("h"), type: "tableHeader", attrs: { colwidth: [120] } }]);
    const table = node("table", [
      head,
      node("tableRow", [cell("one", { background: "red" })]),
      node("tableRow", [cell("two")]),
    ]);
    const blocks = [withIds(table, numbered("old"))];
    const again = reread(anchored(blocks).replace("two", "2"), blocks);
    assert.deepEqual(defined(defined(again[0]).content).slice(0, 2), defined(defined(blocks[0]).content).slice(0, 2));
    assert.equal(
      defined(defined(defined(defined(again[0]).content)[2]).attrs).id,
      defined(defined(defined(defined(blocks[0]).content)[2]).attrs).id,
    );
  });

  test("a colour survives an edit of other words", () => {
    const red = { type: "textStyle", attrs: { color: "red" } };
    const line = node("paragraph", [
      { type: "text", text: "one " },
      { type: "text", text: "red", marks: [red] },
      { type: "text", text: " end 😀" },
    ]);
    const blocks = [withIds(line, () => "block_1")];
    const edit = (from: string, to: string): unknown =>
      defined(reread(anchored(blocks).replace(from, to), blocks)[0]).content;
    assert.deepEqual(edit("end", "and"), [...defined(line.content).slice(0, 2), { type: "text", text: " and 😀" }]);
    assert.deepEqual(edit("one", "1"), [{ type: "text", text: "1 " }, ...defined(line.content).slice(1)]);
    assert.deepEqual(edit("😀", "😁"), [...defined(line.content).slice(0, 2), { type: "text", text: " end 😁" }]);
    assert.deepEqual(edit("red", "rotd"), [
      { type: "text", text: "one " },
      { type: "text", text: "r", marks: [red] },
      { type: "text", text: "ot" },
      { type: "text", text: "d", marks: [red] },
      { type: "text", text: " end 😀" },
    ]);
  });

  test("another type under the same anchor keeps the id of the block only", () => {
    const again = reread("<!--@block=block_old0-->\n## a", body("- a"));
    assert.deepEqual(again, [
      { type: "heading", attrs: { level: 2, id: "block_old0" }, content: [{ type: "text", text: "a" }] },
    ]);
  });
});

describe("the style of a source", () => {
  const source =
    "Title\n=====\n\n_x_ and __y__\n\n* one\n* two\n\nA [link][r].\n\n[r]: https://a.example\n\n```js\nopen\n";
  const blocks = body(source);

  test("STYLE4 is there beside anchors, unless the words need a definition or take in what follows", () => {
    const words = ["Title\n=====", "_x_ and __y__", "* one\n* two", undefined, undefined];
    assert.deepEqual(wordsOf(source, blocks), words);
  });

  test("BODY14 such text written back is no change, whatever Markdown cannot say", () => {
    const coloured = blocks.map((block) => ({ ...block, attrs: { ...block.attrs, colour: "red" } }));
    const words = wordsOf(source, coloured);
    const text = coloured
      .map((block, i) =>
        anchorBlock(String(defined(blocks[i]).attrs?.id), undefined, words[i] ?? serialiseBlock(block).text),
      )
      .join("\n");
    assert.match(text, /_x_ and __y__/);
    assert.deepEqual(parseAnchored(text, coloured, numbered(), { style: source }), coloured);
  });
});
