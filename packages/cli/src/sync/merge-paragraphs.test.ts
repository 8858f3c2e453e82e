import assert from "node:assert/strict";
import { test } from "node:test";
import { joinUnits } from "./anchored-text.ts";
import { mergeParagraphs } from "./merge-paragraphs.ts";

const text = (...units: string[]) => joinUnits(units);
const anchored = (id: string, unit: string) => `<!--@block=block_${id}-->\n${unit}`;

test("SYNC4 changes of different paragraphs go together", () => {
  const base = text("One.", "Two.", "Three.");
  assert.equal(
    mergeParagraphs(base, text("One!", "Two.", "Three."), text("One.", "Two.", "Three?")),
    text("One!", "Two.", "Three?"),
  );
  assert.equal(
    mergeParagraphs(base, text("One.", "Three."), text("Zero.", "One.", "Two.", "Three.")),
    text("Zero.", "One.", "Three."),
  );
  assert.equal(mergeParagraphs(base, base, text("New.")), text("New."));
  assert.equal(mergeParagraphs("", text("Same."), text("Same.")), text("Same."));
});

test("SYNC4 so do changes of neighbours", () => {
  assert.equal(mergeParagraphs(text("One.", "Two."), text("One!", "Two."), text("One.", "Two?")), text("One!", "Two?"));
});

test("SYNC4 changes of the same paragraph do not", () => {
  const base = text("One.", "Two.");
  assert.equal(mergeParagraphs(base, text("One!", "Two."), text("One?", "Two.")), undefined);
  assert.equal(mergeParagraphs(base, text("Two."), text("One, longer.", "Two.")), undefined);
  assert.equal(mergeParagraphs(base, text("One.", "Two.", "Here."), text("One.", "Two.", "There.")), undefined);
});

test("SYNC4 anchors make no difference, and the newest are kept", () => {
  const base = text("One.", "Two.");
  const remote = text(anchored("A", "One."), anchored("B", "Two."));
  assert.equal(mergeParagraphs(base, text("One.", "Two.", "Three."), remote), `${remote}\nThree.\n`);
});

test("SYNC4 code is one paragraph, whatever is in it", () => {
  const code = "```\na\n\n<!--@block=block_X-->\nb\n```";
  assert.equal(
    mergeParagraphs(text("One.", code), text("One!", code), text("One.", code.replace("a", "c"))),
    text("One!", code.replace("a", "c")),
  );
  assert.equal(mergeParagraphs(text(code), text(code.replace("b", "x")), text(code.replace("a", "y"))), undefined);
});
