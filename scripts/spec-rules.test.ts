import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const RULE = /^\s*- \**([A-Z]+[0-9]+)\** /gm;
const CITED = /\b([A-Z]+)([0-9]+)\b/g;

const rules = [...readFileSync("docs/SPEC.md", "utf8").matchAll(RULE)].map((match) => match[1] ?? "");
const areas = new Set(rules.map((rule) => rule.replace(/[0-9]+$/, "")));
const cited = new Set<string>();
for (const file of execFileSync("git", ["ls-files", "*.test.ts"], { encoding: "utf8" }).trim().split("\n"))
  for (const [rule, area = ""] of readFileSync(file, "utf8").matchAll(CITED)) if (areas.has(area)) cited.add(rule);

test("ARCH7 every rule of SPEC.md has a number of its own", () => {
  assert.ok(rules.length > 500);
  assert.deepEqual(
    rules.filter((rule, i) => rules.indexOf(rule) !== i),
    [],
  );
});

test("ARCH7 every rule of SPEC.md stands in the section of its letters", () => {
  const sections = readFileSync("docs/SPEC.md", "utf8").split(/^## /m).slice(1);
  for (const section of sections) {
    const [, letters] = /^([A-Z]+): /.exec(section) ?? [];
    for (const [line, rule] of section.matchAll(/^- \**([A-Z]+)[0-9]+\** /gm)) assert.equal(rule, letters, line);
  }
});

test("ARCH7 every rule of SPEC.md is named by a test, and tests name no others", () => {
  const known = new Set(rules);
  assert.deepEqual([...known].filter((rule) => !cited.has(rule)).sort(), []);
  assert.deepEqual([...cited].filter((rule) => !known.has(rule)).sort(), []);
});
