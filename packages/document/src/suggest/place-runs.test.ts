import assert from "node:assert/strict";
import { test } from "node:test";
import { markChange } from "./place-runs.ts";

test("a changed word is found in the shown text, with the word that replaces it", () => {
  assert.deepEqual(markChange("We meet on Friday.", "We meet on Friday.", "We meet on Monday."), [
    { from: 11, to: 17, inserted: "Monday" },
  ]);
});

test("words are only put in", () => {
  assert.deepEqual(markChange("Bring tea.", "Bring tea.", "Bring hot tea."), [{ from: 6, to: 6, inserted: "hot " }]);
});

test("lines that are shown without the breaks between them keep their places", () => {
  assert.deepEqual(markChange("onetwothree", "one\ntwo\nthree", "one\n2\nthree"), [{ from: 3, to: 6, inserted: "2" }]);
  assert.deepEqual(markChange("one\n  two", "one\ntwo", "one\n2"), [{ from: 6, to: 9, inserted: "2" }]);
});

test("a block that shows another text gets no marks", () => {
  assert.deepEqual(markChange("E = mc²", "latex", "other"), []);
});

test("characters outside the basic plane count as two, as in the browser", () => {
  assert.deepEqual(markChange("🙂 old", "🙂 old", "🙂 new"), [{ from: 3, to: 6, inserted: "new" }]);
});
