import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const PATTERNS = ["*.md", ":!:**/test/**", ":!:bench/**", ":!:scripts/**", ":!:deploy/**"];
const files = execFileSync("git", ["ls-files", ...PATTERNS], { encoding: "utf8" })
  .trim()
  .split("\n");

/** A reader gets through a page of that length; all pages together are a short book. */
const MAX_WORDS: Readonly<Record<string, number>> = {
  "README.md": 900,
  "CHANGELOG.md": 600,
  "docs/ARCHITECTURE.md": 1_500,
  "docs/performance.md": 900,
};
const MAX_WORDS_TOGETHER = 28_000;

for (const [file, max] of Object.entries(MAX_WORDS))
  test(`${file} has at most ${max} words`, () => {
    const count = words(readFileSync(file, "utf8"));
    assert.ok(count <= max, `${count} words`);
  });

test(`all pages together have at most ${MAX_WORDS_TOGETHER} words`, () => {
  const count = files.reduce((sum, file) => sum + words(readFileSync(file, "utf8")), 0);
  assert.ok(count <= MAX_WORDS_TOGETHER, `${count} words in ${files.length} files`);
});

test("CHANGELOG.md has no duplicate line", () => {
  const lines = readFileSync("CHANGELOG.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("- "));
  assert.deepEqual(
    lines.filter((line, i) => lines.indexOf(line) !== i),
    [],
  );
});
