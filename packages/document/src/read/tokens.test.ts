import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { samples } from "../testing/language-samples.ts";
import { estimateTokens } from "./tokens.ts";

/** Languages of which ordinary words are much better known to the vocabulary than technical ones: we err upwards. */
const upwards: ReadonlySet<string> = new Set(["Russian", "French"]);

for (const [name, text] of Object.entries(samples)) {
  const most = upwards.has(name) ? 1.25 : 1.1;
  test(`the estimate is 0.9 to ${most} times the count of o200k_base: ${name}`, () => {
    const ratio = estimateTokens(text) / encode(text).length;
    assert.ok(ratio >= 0.9 && ratio <= most, `ratio ${ratio.toFixed(3)}`);
  });
}

test("nothing costs nothing, anything costs something, and more text never costs less", () => {
  assert.equal(estimateTokens(""), 0);
  for (const text of [" ", "\n", "a", "1", ".", "漢", "😀", "\ud800", "\u0000", "é", "\u200b"]) {
    assert.ok(estimateTokens(text) >= 1, JSON.stringify(text));
    assert.ok(estimateTokens(text.repeat(50)) >= estimateTokens(text), JSON.stringify(text));
  }
});

test("long runs of anything take linear time and a sensible count", () => {
  for (const unit of ["a", "A", " ", "\n", "\t ", "1", "-", "|", "漢", "あ", "é", "Aa", "\ud83d\ude00", ". "]) {
    const text = unit.repeat(200_000 / unit.length);
    const tokens = estimateTokens(text);
    assert.ok(tokens > 0 && tokens <= text.length, `${JSON.stringify(unit)}: ${tokens}`);
  }
});
