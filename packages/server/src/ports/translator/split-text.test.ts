import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { batches } from "./batches.ts";
import { keepOuterSpace, splitText } from "./split-text.ts";

const word = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("⟦1⟧", "⟦/123⟧", " ", "\n", "End. ", "字。", "😀"),
);
const anyText = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));

test("the pieces join to the text, are short enough, and cut no marker and no character", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 20, max: 80 }), (text, max) => {
      const pieces = splitText(text, max);
      assert.equal(pieces.join(""), text);
      for (const piece of pieces) {
        assert.ok(piece.length <= max);
        assert.ok(piece.isWellFormed());
      }
      const markers = (part: string) => part.match(/⟦\/?\d+⟧/g) ?? [];
      assert.deepEqual(pieces.flatMap(markers), [...markers(text)]);
    }),
    { seed: 20261115, numRuns: 1000 },
  );
});

test("cuts after a line, else a sentence, else a word", () => {
  assert.deepEqual(splitText("One two.\nThree. Four five", 16), ["One two.\n", "Three. Four five"]);
  assert.deepEqual(splitText("One two. Three four five", 16), ["One two. ", "Three four five"]);
  assert.deepEqual(splitText("onetwothree four five", 16), ["onetwothree ", "four five"]);
  assert.deepEqual(splitText("", 16), [""]);
});

test("a million characters without a space are cut quickly", () => {
  assert.equal(splitText("字".repeat(1_000_000), 10_000).length, 100);
});

test("the source's outer white space is kept", () => {
  assert.equal(keepOuterSpace("  a b\n", "x y "), "  x y\n");
  assert.equal(keepOuterSpace(" \n ", "x"), " \n ");
});

test("groups by count and size, large ones alone", () => {
  const sizes = [1, 2, 3, 10, 1, 1, 1];
  assert.deepEqual(
    batches(sizes, 2, 5, (size) => size),
    [[1, 2], [3], [10], [1, 1], [1]],
  );
});
