import assert from "node:assert/strict";
import { test } from "node:test";
import { unitsOf } from "./anchored-text.ts";
import { mergeParagraphs } from "./merge-paragraphs.ts";

const text = (...units: string[]) => `${units.join("\n\n")}\n`;
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

test("SYNC4 a text is its paragraphs and what stands between them, character by character", () => {
  for (const one of [
    "",
    "\n\n",
    "One.",
    "\r\n\r\nOne.\r\n\r\n\r\nTwo.\r\n",
    "```\n\na\n\n```\n \n\t\n    b\n\n\n    c",
  ]) {
    const { lead, units } = unitsOf(one);
    assert.equal(lead + units.map(({ text: words, gap }) => words + gap).join(""), one);
  }
});

test("SYNC4 blank lines and line ends stay: in indented code they are text", () => {
  const code = "One.\n\n    a\n\n\n    b\n\nTwo.\n";
  assert.equal(
    mergeParagraphs(code, code.replace("One.", "One!"), code.replace("Two.", "Two?")),
    code.replace("One.", "One!").replace("Two.", "Two?"),
  );
  const windows = "\r\nOne.\r\n\r\n\r\nTwo.\r\n\r\nThree.";
  assert.equal(
    mergeParagraphs(windows, windows.replace("One.", "One!"), windows.replace("Three.", "Three?")),
    windows.replace("One.", "One!").replace("Three.", "Three?"),
  );
  assert.equal(
    mergeParagraphs(windows, `${windows}\r\n\r\nFour.\r\n`, windows.replace("One.", "One!")),
    `${windows.replace("One.", "One!")}\r\n\r\nFour.\r\n`,
  );
});

test("SYNC4 a change of nothing but indentation or a hard break is not lost", () => {
  const base = "One.\n\n- a\n\nmore\n\nTwo, \nthree.\n\nFour.\n";
  const local = base.replace("more", "  more").replace("Two, ", "Two,  ");
  assert.equal(mergeParagraphs(base, local, base.replace("Four.", "Five.")), local.replace("Four.", "Five."));
  assert.equal(mergeParagraphs("One.\n", "    One.\n", "Two.\n"), undefined, "with other words there it is a conflict");
});
