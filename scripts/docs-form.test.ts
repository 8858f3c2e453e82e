import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Words of one paragraph: a reader takes it in at once. */
const MOST_WORDS = 110;

/** Prose alone: no headings, lists, tables or drawings. */
const paragraphsOf = (text: string): string[] =>
  text
    .replace(/^```[\s\S]*?^```/gm, "")
    .split(/\n\s*\n/)
    .filter((part) => /^[^#|\s\d-]/.test(part));

test("ARCH10 the paragraphs of the architecture are short", () => {
  const paragraphs = paragraphsOf(readFileSync("docs/ARCHITECTURE.md", "utf8"));
  assert.ok(paragraphs.length > 50);
  const long = paragraphs.filter((paragraph) => paragraph.split(/\s+/).length > MOST_WORDS);
  assert.deepEqual(
    long.map((paragraph) => paragraph.slice(0, 60)),
    [],
  );
});

test("ARCH10 the changelog has no line twice", () => {
  const lines = readFileSync("CHANGELOG.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("- "));
  assert.deepEqual(
    lines.filter((line, i) => lines.indexOf(line) !== i),
    [],
  );
});
