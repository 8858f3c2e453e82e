import assert from "node:assert/strict";
import { test } from "node:test";
import { applyBatch, parseOperations } from "../blocks/batch.ts";
import { defined } from "../defined.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBody } from "../markdown/serialise.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { allIds } from "../testing/all-ids.ts";
import { countingIds } from "../testing/builders.ts";
import { refusal } from "../testing/refusal.ts";
import type { Body } from "../types.ts";
import { loosen } from "./loosen.ts";

const options = { maxCharacters: 100_000 };
const bodyOf = (markdown: string): Body =>
  normaliseBody({ type: "doc", content: parseMarkdown(markdown) }, countingIds(1));

function edit(markdown: string, ...operations: Record<string, unknown>[]) {
  const before = bodyOf(markdown);
  const sent = operations.map((operation) => ({
    op: "markdown" in operation ? "append_markdown" : "edit_markdown",
    ...operation,
  }));
  const { body } = applyBatch(before, parseOperations(sent), countingIds(1000), options);
  const kept = new Set(allIds(body));
  return {
    text: serialiseBody(body.content).text,
    lost: allIds(before).filter((id) => !kept.has(id)).length,
    added: allIds(body).length - allIds(before).filter((id) => kept.has(id)).length,
  };
}

test("BLK20 a word is replaced and every id stays", () => {
  assert.deepEqual(edit("# T\n\nThe limit is **40** MB.\n\n- a\n- b", { old: "**40** MB", new: "**50** MB" }), {
    text: "# T\n\nThe limit is **50** MB.\n\n- a\n- b\n",
    lost: 0,
    added: 0,
  });
});

test("BLK20 one cell of a table is replaced and the ids of all rows stay", () => {
  const rows = Array.from({ length: 20 }, (_, i) => `| k${i} | v${i} |`).join("\n");
  const { text, lost, added } = edit(`| key | value |\n| --- | --- |\n${rows}`, {
    old: "|k7|v7|",
    new: "| k7 | changed |",
  });
  assert.match(text, /\| k7 \| changed \|/);
  assert.deepEqual([lost, added], [0, 0]);
});

const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |";

test("BLK20 a row and a list item go with their line ends", () => {
  const { text } = edit(table, { old: "| 3 | 4 |\n", new: "" });
  assert.equal(text, "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 5 | 6 |\n");
  assert.deepEqual(edit("- a\n- b\n- c", { old: "- b\n", new: "" }), { text: "- a\n- c\n", lost: 2, added: 0 });
});

test("BLK24 white space at both ends counts: blocks stay apart, and lists become one", () => {
  assert.equal(edit("one\n\nmiddle\n\ntwo", { old: "\n\nmiddle\n\n", new: "\n\n" }).text, "one\n\ntwo\n");
  assert.deepEqual(edit("- one\n\nmiddle\n\n- two", { old: "\n\nmiddle\n\n", new: "\n" }), {
    text: "- one\n- two\n",
    lost: 2,
    added: 0,
  });
  const list = "- one\n\nfirst paragraph\n\nsecond";
  assert.equal(edit(list, { old: "\nfirst paragraph\n", new: "\n\n" }).text, "- one\n\nsecond\n");
  assert.equal(edit("one\n\ntwo", { old: "two\n", new: "three\n\nfour\n" }).text, "one\n\nthree\n\nfour\n");
  assert.equal(edit("one", { old: "one", new: "" }).text, "");
});

test("BLK25 what would change how other text is read is refused with the place", () => {
  const near = (markdown: string, operation: Record<string, unknown>) => {
    const { code, details } = refusal(() => edit(markdown, operation));
    assert.equal(code, "edit_changes_structure");
    return (details.near as { text: string }).text;
  };
  assert.equal(near("one\n\ntwo", { old: "one", new: "```\none" }), "two");
  assert.equal(near("- a\n\n  ```\n  x\n  ```\n\n  b", { old: "  x\n  ```\n", new: "  x\n" }), "  b");
  assert.equal(near(table, { old: "| 3 | 4 |", new: "" }), "| 5 | 6 |");
  assert.equal(near("one\n\ntwo\n\n</details>", { old: "one", new: "<details>\n\none" }), "one");
  const page = "# A\n\none\n\n# B\n\ntwo";
  assert.equal(near(page, { old: "one", new: "```\none", section: "A" }), "# B");
  assert.equal(near("one\n\ntwo", { old: "one", new: "---\na: b\n---" }), "one");
});

test("BLK26 the operations of a batch share one limit, and long runs of blanks cost nothing", () => {
  const part = "a".repeat(75_000);
  assert.equal(refusal(() => edit("x", { markdown: part }, { markdown: part })).code, "document_too_large");
  assert.equal(refusal(() => edit("x", { old: part, new: part })).code, "document_too_large");
  assert.equal(
    refusal(() => edit("x", { old: "x", new: "y".repeat(95_000) }, { old: "y", new: part })).code,
    "document_too_large",
  );
  const blanks = " ".repeat(90_000);
  const start = process.cpuUsage();
  assert.equal(refusal(() => edit("x", { old: `x${blanks}y`, new: "" })).code, "text_not_found");
  assert.equal(refusal(() => edit("x", { old: `x${"\n".repeat(90_000)}y`, new: "" })).code, "text_not_found");
  edit("| a |\n| --- |\n| 1 |", { markdown: `|${"-".repeat(90_000)}x|` });
  assert.ok(process.cpuUsage(start).user < 5_000_000, "a quadratic search takes minutes");
});

test("BLK26 a search that ignores white space takes time in proportion to the page", () => {
  const processorTime = (size: number): number => {
    const page = "Some words, and a few more of them.\n\n".repeat(size / 37);
    const before = process.threadCpuUsage();
    loosen(page);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  processorTime(20_000);
  const [short, long] = [processorTime(20_000), processorTime(400_000)];
  assert.ok(long < 120 * short, `${short} µs, and ${long} µs for a page twenty times as long`);
});

test("BLK20 Markdown in the new text is Markdown, also several blocks of it", () => {
  const { text, lost } = edit("One\n\nTwo\n\nThree", { old: "Two", new: "**Two**\n\n- x\n- y" });
  assert.equal(text, "One\n\n**Two**\n\n- x\n- y\n\nThree\n");
  assert.equal(lost, 0);
});

test("BLK20 a stretch may run over several blocks", () => {
  assert.equal(edit("One\n\nTwo\n\nThree", { old: "One\n\nTwo", new: "Both" }).text, "Both\n\nThree\n");
});

test("BLK20 within a section; all occurrences; one of several", () => {
  const text = "# A\n\nx y x\n\n# B\n\nx";
  assert.equal(edit(text, { old: "x", new: "z", section: "## b" }).text, "# A\n\nx y x\n\n# B\n\nz\n");
  assert.equal(edit(text, { old: "x", new: "z", occurrence: "all" }).text, "# A\n\nz y z\n\n# B\n\nz\n");
  assert.equal(edit(text, { old: "x", new: "z", occurrence: 2 }).text, "# A\n\nx y z\n\n# B\n\nx\n");
});

test("BLK20 differences that mean little do not count", () => {
  assert.equal(edit("A “quoted” word and\nmore", { old: 'A "quoted"  word and more', new: "B" }).text, "B\n");
  assert.equal(edit("a\\_b c", { old: "a_b", new: "d" }).text, "d c\n");
  assert.equal(edit("- a\n- b", { old: "* b", new: "* c" }).text, "- a\n- c\n");
  assert.equal(edit("One", { old: "<!--@block=block_x-->\nOne", new: "Two" }).text, "Two\n");
});

test("BLK21 a text that occurs several times, or nowhere, is refused with the places", () => {
  const several = refusal(() => edit("# A\n\nx\n\n# B\n\nx", { old: "x", new: "y" }));
  assert.equal(several.code, "text_ambiguous");
  assert.deepEqual(
    (several.details.places as { occurrence: number; heading_path: string[] }[]).map((place) => [
      place.occurrence,
      ...place.heading_path,
    ]),
    [
      [1, "A"],
      [2, "B"],
    ],
  );
  const none = refusal(() => edit("# A\n\nThe quick brown fox\n\nother", { old: "quick brown dog", new: "y" }));
  assert.equal(none.code, "text_not_found");
  assert.equal(defined((none.details.nearest as { text: string }[])[0]).text, "The quick brown fox");
  assert.equal(refusal(() => edit("x", { old: "x", new: "y", occurrence: 2 })).code, "text_not_found");
  assert.equal(refusal(() => edit("x", { old: "x", new: "y", section: "No" })).code, "heading_not_found");
});

test("BLK22 a bullet is added to the list that ends a section, before the sections inside of it", () => {
  assert.deepEqual(edit("# A\n\n- a\n- b\n\n## A1\n\nx\n\n# B", { markdown: "- c", section: "A" }), {
    text: "# A\n\n- a\n- b\n- c\n\n## A1\n\nx\n\n# B\n",
    lost: 0,
    added: 2,
  });
  assert.equal(edit("# A\n\nx", { markdown: "y\n\nz" }).text, "# A\n\nx\n\ny\n\nz\n");
});

test("BLK22 rows are added to the table that ends a section, and all its ids stay", () => {
  const table = "| day | what |\n| :--- | ---: |\n| Mon | a \\| b |\n";
  const text = `# A\n\n${table}\n## Inner\n\nText.`;
  assert.deepEqual(edit(text, { section: "A", markdown: "| Tue | **c** |\n\n| Wed |\n" }), {
    text: `# A\n\n${table}| Tue | **c** |\n| Wed |  |\n\n## Inner\n\nText.\n`,
    lost: 0,
    added: 10,
  });
  const tooWide = refusal(() => edit(text, { section: "A", markdown: "| Tue | c | d |" }));
  assert.match(tooWide.message, /3 cells for a table of 2 columns/);
});

test("BLK22 a table with its own header is another one, and rows behind no table are text", () => {
  const table = "| a |\n| --- |\n| 1 |\n";
  assert.equal(edit(table, { markdown: table }).text, `${table}\n${table}`);
  assert.equal(edit("Text.", { markdown: "| a |" }).text, "Text.\n\n| a |\n");
});

test("BLK22 a new list beside a stored one becomes part of it", () => {
  assert.deepEqual(edit("- a\n\nx\n\n- b", { old: "x", new: "- x" }).text, "- a\n- x\n- b\n");
});
