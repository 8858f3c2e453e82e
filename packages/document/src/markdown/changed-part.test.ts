import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readChangedPart } from "./changed-part.ts";
import { parseMarkdown } from "./parse.ts";
import { realFiles } from "./testing/real-files.ts";

/** Lines that begin, go on with or end something, most of them followed by text or by nothing. */
const lines = fc.constantFrom(
  ..."|text|more text|# Heading|===|---|- item|  in the item|    code or in the item|1. first|2. second|> quote".split(
    "|",
  ),
  ...[
    "",
    "",
    "",
    "> - in both",
    "```",
    "```js",
    "~~~",
    "  ```",
    "$$",
    "$$x$$",
    "a `b",
    "`",
    "<!--",
    "-->",
    "<div>",
    "</div>",
  ],
  ...["<details>", "<details><summary>More</summary>", "</details>", "<pre>", "</pre>", "| a | b |", "| - | - |"],
  ...["[a]: b", "[a]: <", "see [a]", "[a][a]", "[^1]: note", "    in the note", "see [^1]", "- [ ] task", "> [!NOTE]"],
  ...["  <details>", "> \tq", "<?", "<!X>", "[a]: <b> 'ti", "tle'", "[^1]: ```", "\fx", "\u2028", "\ud800", "[[a]]"],
  ...["*a", "b*", "\t", "  ", "&amp;", "\\", "\u00a0text", "\uFEFFtext", "x"],
);
const parameters = { seed: Number(process.env.SEED ?? 5), numRuns: Number(process.env.RUNS ?? 5000) };

/** Whether the part could be told. It is then read as within the whole. */
function readsAlike(source: string, text: string): boolean {
  const blocks = parseMarkdown(source);
  const changed = readChangedPart({ source, blocks }, text);
  if (!changed) return false;
  const { start, tail, read } = changed;
  const all = [...blocks.slice(0, start), ...read, ...blocks.slice(blocks.length - tail)];
  assert.deepEqual(all, parseMarkdown(text), JSON.stringify({ source, text }));
  return true;
}

test("what is read of two texts that differ somewhere is what the whole would be read as", () => {
  const text = fc.array(lines, { maxLength: 14 });
  const edit = fc.tuple(text, fc.nat(14), fc.nat(4), fc.array(lines, { maxLength: 4 }), fc.constantFrom("\n", "\r\n"));
  let told = 0;
  fc.assert(
    fc.property(edit, ([before, from, removed, added, lineEnd]) => {
      const after = before.toSpliced(from, removed, ...added);
      if (readsAlike(before.join(lineEnd), after.join("\n"))) told++;
    }),
    parameters,
  );
  assert.ok(told > parameters.numRuns / 3, `${told} of ${parameters.numRuns}`);
});

test("so it is with an edit anywhere in documents that people wrote", () => {
  const random = fc.sample(fc.nat(1_000_000), { seed: 7, numRuns: 1000 });
  const files = realFiles(200, 5);
  let told = 0;
  files.forEach(({ text }, i) => {
    const all = text.split("\n");
    const at = random[i]! % all.length;
    if (readsAlike(text, all.with(at, `${all[at]} changed`).join("\n"))) told++;
    readsAlike(text, all.toSpliced(at, random[i + 200]! % 5).join("\n"));
    readsAlike(text, all.toSpliced(at, 0, "", "New *words*.", "").join("\n"));
  });
  assert.ok(told > files.length * 0.8, `${told} of ${files.length}`);
});

test("no more is read than the blocks that changed", () => {
  const source = "# One\n\nfirst\n\n- a\n- b\n\nsecond\n\n```\ncode\n```\n\nthird [link]\n\n[link]: to\n";
  const blocks = parseMarkdown(source);
  const changed = (from: string, to: string) => {
    const found = readChangedPart({ source, blocks }, source.replace(from, to));
    return found && [found.start, found.read.length, found.tail];
  };
  assert.deepEqual(changed("first", "not the first"), [1, 2, 3]);
  assert.deepEqual(changed("second", "not the second"), [3, 1, 2]);
  assert.deepEqual(changed("code", "other code"), [4, 1, 1]);
  assert.deepEqual(changed("third", "not the third"), [5, 1, 0]);
  assert.deepEqual(changed("to\n", "elsewhere\n"), undefined, "what the definition is of would change too");
  assert.deepEqual(changed("second\n\n", ""), [3, 1, 1]);
  assert.deepEqual(changed("", ""), [6, 0, 0]);
  assert.ok(readsAlike("first\n", "\nfirst\n"), "a blank line before all");
});
