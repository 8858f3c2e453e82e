import assert from "node:assert/strict";
import { test } from "node:test";
import { isSilent, wordMarker } from "./mark-words.ts";

const marked = (q: string, text: string): string =>
  wordMarker(q)(text)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join("");

test("WEB29 words are marked in all their forms, function words are not", () => {
  assert.equal(
    marked("how do we deploy", "How we deploy: deploys, deployed."),
    "How we [deploy]: [deploys], [deployed].",
  );
  assert.equal(marked('"deploy"', "deploy deploys"), "[deploy] deploys");
  assert.equal(marked("rel* -draft", "Release draft"), "[Release] draft");
  assert.equal(marked("how", "How we deploy"), "[How] we deploy");
  assert.equal(marked("", "Nothing"), "Nothing");
});

test("WEB29 a missing function word is not reported", () => {
  assert.deepEqual(["how", "the", "orphan"].map(isSilent), [true, true, false]);
});
