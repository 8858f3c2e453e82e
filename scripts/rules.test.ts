import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const RULE = /^\*\*([A-Z]+[0-9]+)\*\* /gm;
const CITED = /\b([A-Z]+)([0-9]+)\b/g;

const tracked = (pattern: string) =>
  execFileSync("git", ["ls-files", pattern], { encoding: "utf8" }).trim().split("\n").filter(Boolean);

const files = tracked("*RULES.md").map((file) => ({ file, text: readFileSync(file, "utf8") }));
const rules = files.flatMap(({ text }) => [...text.matchAll(RULE)].map((match) => match[1] ?? ""));
const areaOf = (rule: string) => rule.replace(/[0-9]+$/, "");
const areas = new Set(rules.map(areaOf));
const cited = new Set<string>();
for (const file of tracked("*.test.ts"))
  for (const [rule, area = ""] of readFileSync(file, "utf8").matchAll(CITED)) if (areas.has(area)) cited.add(rule);

test("every rule has a number of its own", () => {
  assert.ok(rules.length > 500);
  assert.deepEqual(
    rules.filter((rule, i) => rules.indexOf(rule) !== i),
    [],
  );
});

test("every line of a RULES.md is a heading, an introduction or a rule of its section", () => {
  for (const { file, text } of files)
    for (const section of text.split(/^## /m).slice(1)) {
      const [, letters] = /^([A-Z]+): /.exec(section) ?? [];
      assert.ok(letters, `${file}: ${section.slice(0, 40)}`);
      for (const [line, rule = ""] of section.matchAll(RULE)) assert.equal(areaOf(rule), letters, `${file}: ${line}`);
      assert.doesNotMatch(section, /^- \**[A-Z]+[0-9]/m, `${file}: a rule is a paragraph, not an item of a list`);
    }
});

test("every rule is cited by a test, and tests cite no others", () => {
  const known = new Set(rules);
  assert.deepEqual([...known].filter((rule) => !cited.has(rule)).sort(), []);
  assert.deepEqual([...cited].filter((rule) => !known.has(rule)).sort(), []);
});

test("docs/rules.md links every RULES.md and names its sections", () => {
  const index = readFileSync("docs/rules.md", "utf8");
  for (const { file, text } of files) {
    const line = index.split("\n").find((candidate) => candidate.includes(`(../${file})`));
    assert.ok(line, `docs/rules.md does not link ${file}`);
    for (const [, letters = ""] of text.matchAll(/^## ([A-Z]+): /gm))
      assert.match(line, new RegExp(`\\(${letters}\\)`));
  }
});
