import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { mergeBlocks } from "./merge-blocks.ts";

const labels = { mine: "mine", base: "base", theirs: "theirs" };
/** Blocks by the digit of their id; `+` has none. */
const text = (...blocks: readonly string[]): string =>
  `${blocks.map((block) => (block.startsWith("+") ? block.slice(1) : `<!--@block=${block[0]}-->\n${block.slice(1)}`)).join("\n\n")}\n`;
const merge = (mine: string, theirs: string) => mergeBlocks(BASE, mine, theirs, labels);
const BASE = text("1One two three.", "2Two.", "3- a\n- b\n- c", "4Four.");
const asked = (mine: string, base: string, theirs: string) =>
  ["<<<<<<< mine", mine, "||||||| base", base, "=======", theirs, ">>>>>>> theirs"]
    .filter((line) => line !== "")
    .join("\n");

const cases: readonly (readonly [what: string, mine: string, theirs: string, merged: string, conflicts: number])[] = [
  [
    "edits of different blocks",
    text("1One!", "2Two.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", "2Two?", "3- a\n- b\n- c", "4Four."),
    text("1One!", "2Two?", "3- a\n- b\n- c", "4Four."),
    0,
  ],
  [
    "other words of one block",
    text("1ONE two three.", "2Two.", "3- a\n- b\n- c", "4Four."),
    text("1One two THREE.", "2Two.", "3- a\n- b\n- c", "4Four."),
    text("1ONE two THREE.", "2Two.", "3- a\n- b\n- c", "4Four."),
    0,
  ],
  [
    "other items of one list",
    text("1One two three.", "2Two.", "3- A\n- b\n- c", "4Four."),
    text("1One two three.", "2Two.", "3- a\n- b\n- c\n- d", "4Four."),
    text("1One two three.", "2Two.", "3- A\n- b\n- c\n- d", "4Four."),
    0,
  ],
  [
    "the same words",
    text("1One two three.", "2Mine.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", "2Theirs.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", `2${asked("Mine.", "Two.", "Theirs.")}`, "3- a\n- b\n- c", "4Four."),
    1,
  ],
  [
    "deleted there and edited here: it comes back as a new block",
    text("1One two three.", "2Mine.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", `+${asked("Mine.", "Two.", "")}`, "3- a\n- b\n- c", "4Four."),
    1,
  ],
  [
    "deleted here and edited there",
    text("1One two three.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", "2Theirs.", "3- a\n- b\n- c", "4Four."),
    text("1One two three.", `2${asked("", "Two.", "Theirs.")}`, "3- a\n- b\n- c", "4Four."),
    1,
  ],
  [
    "moved here and edited there",
    text("2Two.", "3- a\n- b\n- c", "4Four.", "1One two three."),
    text("1One.", "2Two.", "3- a\n- b\n- c", "4Four."),
    text("2Two.", "3- a\n- b\n- c", "4Four.", "1One."),
    0,
  ],
  [
    "edited here and moved there, with new blocks of both sides",
    text("1One!", "+New here.", "2Two.", "3- a\n- b\n- c", "4Four."),
    text("2Two.", "3- a\n- b\n- c", "4Four.", "1One two three.", "9New there."),
    text("2Two.", "3- a\n- b\n- c", "4Four.", "1One!", "+New here.", "9New there."),
    0,
  ],
];
for (const [what, mine, theirs, merged, conflicts] of cases)
  test(`CMD28 ${what}`, () => assert.deepEqual(merge(mine, theirs), { text: merged, conflicts }));

test("CMD28 what one side alone changed is that side, and no words that either side wrote are missing", () => {
  const words = fc.constantFrom("red", "green", "blue", "- x\n- y", "```\ncode\n```", "# head");
  const side = fc.array(
    fc.tuple(
      fc.nat(5),
      fc.option(words, { nil: undefined }),
      fc.option(fc.stringMatching(/^[a-z]{9}$/), { nil: undefined }),
    ),
    { maxLength: 5 },
  );
  const start = ["1alpha one", "2beta two", "3gamma three", "4delta four", "5omega five", "6last six"];
  const edit = (changes: readonly (readonly [number, string | undefined, string | undefined])[]): string[] => {
    const blocks: (string | undefined)[] = [...start];
    for (const [at, replaced, added] of changes) {
      const block = blocks[at];
      if (block === undefined) continue;
      if (replaced === undefined && added === undefined) blocks[at] = undefined;
      else blocks[at] = `${block[0]}${replaced ?? block.slice(1)}${added === undefined ? "" : `\n\n${added}`}`;
    }
    return blocks.filter((block) => block !== undefined);
  };
  fc.assert(
    fc.property(side, side, (a, b) => {
      const [base, mine, theirs] = [text(...start), text(...edit(a)), text(...edit(b))];
      assert.equal(mergeBlocks(base, base, theirs, labels).conflicts, 0);
      assert.equal(mergeBlocks(base, mine, base, labels).conflicts, 0);
      const merged = mergeBlocks(base, mine, theirs, labels).text;
      for (const [, , added] of [...a, ...b]) {
        const isThere = added !== undefined && (mine.includes(defined(added)) || theirs.includes(defined(added)));
        if (isThere) assert.ok(merged.includes(added), `${added}\n${merged}`);
      }
    }),
    { seed: 24, numRuns: 300 },
  );
});

test("CMD28 a block that was copied with its anchor, and text before the first block, stay in the text", () => {
  const { text: merged } = merge(
    `[r]: https://a.example\n\n${BASE}\n<!--@block=2-->\nTwo again.\n`,
    text("1One!", "2Two.", "3- a\n- b\n- c", "4Four."),
  );
  assert.match(merged, /^\[r\]: https:\/\/a\.example\n\n<!--@block=1-->\nOne!/);
  assert.match(merged, /<!--@block=2-->\nTwo again\.\n$/);
});
