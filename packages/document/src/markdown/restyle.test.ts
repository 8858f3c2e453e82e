import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "../defined.ts";
import { p } from "../testing/builders.ts";
import { parseMarkdown } from "./parse.ts";
import { restyle } from "./restyle.ts";
import { realFiles } from "./testing/real-files.ts";

test("STYLE2 real files can still be written after their source when a block was edited", () => {
  const files = realFiles(150, 23);
  const anew = files.flatMap(({ path, text }) => {
    const blocks = parseMarkdown(text);
    if (blocks.length < 3) return [];
    const edited = [...blocks.slice(0, 1), p("An edited block."), ...blocks.slice(2)];
    return restyle(text, edited) === undefined ? [path] : [];
  });
  assert.ok(anew.length <= files.length / 20, `of ${files.length} written anew: ${anew.join(", ")}`);
});

const source = "Title\n=====\n\n* one\n* two\n\n\nA [link][r] here.\n\n[r]: https://a.example\n\n    code\n";

test("STYLE2 an edited block is written anew, its neighbours are not", () => {
  const blocks = parseMarkdown(source);
  assert.equal(
    restyle(source, [...blocks.slice(0, 1), p("new"), ...blocks.slice(2)]),
    source.replace("* one\n* two\n\n\n", "new\n\n"),
  );
});

test("STYLE2 definitions stay for whoever refers to them", () => {
  const blocks = parseMarkdown(source);
  assert.equal(restyle(source, [defined(blocks[2])]), "A [link][r] here.\n\n[r]: https://a.example\n");
});

test("STYLE2 only the block that would be read otherwise is written anew", () => {
  const source = "_a_\n\n* b\n\n_c_\n\n    code\n";
  const [first, list, , code] = parseMarkdown(source);
  assert.equal(restyle(source, [first, list, code].map(defined)), "_a_\n\n* b\n\n```\ncode\n```\n");
  const open = "_a_\n\n* b\n\n```\ncode";
  assert.equal(restyle(open, [...parseMarkdown(open), p("new")]), "_a_\n\n* b\n\n```\ncode\n```\n\nnew\n");
});

test("STYLE2 HTML that went on to the end of the source ends before what is put behind it", () => {
  const source = "Title\n=====\n\n  <!-- never\n\nended\n";
  const blocks = parseMarkdown(source);
  assert.equal(restyle(source, blocks), source);
  assert.equal(restyle(source, [...blocks, p("more")]), `${source}-->\n\nmore\n`);
});

test("STYLE3 a byte order mark is no text, and stays before a text that is edited", () => {
  const source = "\uFEFFTitle\n=====\n\n* one\n";
  assert.equal(parseMarkdown(source)[0]?.type, "heading");
  assert.equal(restyle(source, parseMarkdown("# Other\n\n- one\n")), "\uFEFF# Other\n\n* one\n");
});

test("STYLE3 line ends, leading blank lines and a missing last line end are kept", () => {
  assert.equal(restyle("\n\n_a_\n\n* b\n", [p("new"), ...parseMarkdown("- b\n")]), "\n\nnew\n\n* b\n");
  for (const text of ["\n\n# a\r\n", "a\r\n\r\n* b\r\n", "a\n\n* b", ""]) {
    assert.equal(restyle(text, parseMarkdown(text)), text, JSON.stringify(text));
  }
});
