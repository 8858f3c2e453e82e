import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "../testing/refusal.ts";
import { frontMatterOf, sourceOf, splitFrontMatter, splitReadable } from "./front-matter.ts";
import { readProperties, textsOf } from "./read-properties.ts";
import { writeProperties } from "./write-properties.ts";

const source = "title: My Title # mine\ntags: [a, b]\n\n# when\ndate: 2024-01-31\ncount: 3\ndone: false\n";

test("PROP1 front matter is parted from the text, and nothing else is taken for it", () => {
  for (const lineEnd of ["\n", "\r\n"]) {
    const head = `---\n${source}---\n`.replaceAll("\n", lineEnd);
    const split = splitFrontMatter(`${head}${lineEnd}# Text${lineEnd}`);
    assert.deepEqual(split, { frontMatter: head, body: `${lineEnd}# Text${lineEnd}` });
    assert.equal(sourceOf(split.frontMatter), source.replaceAll("\n", lineEnd));
  }
  for (const text of [
    "---\n\na: b\n\n---\n",
    "---\n---\n",
    "---\nWords\n---\n",
    "a: b\n---\n",
    "---\na: b\n",
    "--- \n- a\n---\n",
  ])
    assert.equal(splitFrontMatter(text).body, text);
});

test("PROP1 values are texts, numbers, booleans, lists; dates are text", () => {
  assert.deepEqual(readProperties(source), {
    title: "My Title",
    tags: ["a", "b"],
    date: "2024-01-31",
    count: 3,
    done: false,
  });
  assert.deepEqual(textsOf(["a", 1, true]), ["a", "1", "true"]);
});

test("PROP2 a change by value keeps the lines of what stays", () => {
  const { count: _, ...rest } = readProperties(source);
  const changed = writeProperties({ ...rest, done: true, more: "x: y" }, source);
  assert.equal(changed, 'title: My Title # mine\ntags: [a, b]\n\n# when\ndate: 2024-01-31\ndone: true\nmore: "x: y"\n');
  assert.equal(frontMatterOf(changed, "---  \r\na: b\r\n...\r\n").slice(0, 6), "---  \r");
  assert.equal(writeProperties({}, source), "");
});

test("PROP3 what is too large, too deep, unclear or a bomb is refused, in linear time", () => {
  const many = Array.from({ length: 65 }, (_, i) => `k${i}: 1\n`).join("");
  const bomb = `a0: &a0 [x, x, x]\n${Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`).join("")}`;
  const bad = [
    many,
    bomb,
    `a: ${"x".repeat(16_385)}`,
    `a: ${"[".repeat(5000)}`,
    `a:\n${"- ".repeat(3000)}`,
    "a: [1",
    "a: 1\na: 2",
  ];
  for (const text of [...bad, "a: *b", 'a: "\\0"', "- a", "text"])
    assert.equal(refusal(() => readProperties(text)).code, "invalid_properties");
  for (const text of [...bad, `${"a: {b: ".repeat(2000)}`]) {
    const file = `---\n${text}\n---\nText\n`;
    assert.equal(splitReadable(file).body, file);
    assert.equal(refusal(() => splitFrontMatter(file)).code, "invalid_properties");
  }
  const full = `a: ${"é".repeat(8190)}\n`;
  assert.equal(Buffer.byteLength(full), 16_384);
  assert.equal(readProperties(full).a, "é".repeat(8190), "the limit is of the source, not of its JSON");
  assert.deepEqual(Object.keys(readProperties("__proto__: {a: 1}")), ["__proto__"]);
});
