import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defined } from "../defined.ts";
import { p } from "../testing/builders.ts";
import { parseMarkdown } from "./parse.ts";
import { restyle } from "./restyle.ts";

const root = join(import.meta.dirname, "../../../..");
const files = globSync(["node_modules/{*,@*/*}/*.md", "docs/*.md", "*.md"], { cwd: root }).sort();

test("STYLE1 real files are written back byte for byte, whole and beside an edited block", () => {
  assert.ok(files.length > 50);
  const [whole, edited]: [string[], string[]] = [[], []];
  for (const file of files) {
    const source = readFileSync(join(root, file), "utf8");
    const blocks = parseMarkdown(source);
    if (restyle(source, blocks) !== source) whole.push(file);
    if (blocks.length < 3) continue;
    const rest = [...blocks.slice(0, 1), p("An edited block."), ...blocks.slice(2)];
    const again = restyle(source, rest);
    if (again === undefined) edited.push(file);
  }
  assert.ok(whole.length <= files.length / 100, `of ${files.length} not byte for byte: ${whole.join(", ")}`);
  assert.ok(edited.length <= files.length / 20, `of ${files.length} written anew after an edit: ${edited.join(", ")}`);
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

test("STYLE2 what would be read otherwise is written anew", () => {
  const blocks = parseMarkdown("- a\n\nb\n\n    code\n");
  assert.equal(restyle("- a\n\nb\n\n    code\n", [defined(blocks[0]), defined(blocks[2])]), undefined);
});

test("STYLE3 line ends, leading blank lines and a missing last line end are kept", () => {
  for (const text of ["\n\n# a\r\n", "a\r\n\r\n* b\r\n", "a\n\n* b", ""]) {
    assert.equal(restyle(text, parseMarkdown(text)), text, JSON.stringify(text));
  }
});
